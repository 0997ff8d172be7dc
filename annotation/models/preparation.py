"""Lists that are prepared before a unit is made: proposed, checked by a person, accepted."""

from collections.abc import Collection, Mapping
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.models.material import Item, Source
from annotation.models.study import Block, Study
from tasktypes.prepared_lists import PREPARED, PreparedList

# What of a list's provenance a unit keeps in its focus, with which it is exported. Names of
# researchers and raw replies stay here.
KEPT_IN_FOCUS = ("by", "backend", "model", "prompt_hash", "file")


class PreparationQuerySet(models.QuerySet["Preparation"]):
    """Selections of prepared lists."""

    def standing(self) -> Self:
        """Those that are accepted, or wait for a decision."""
        return self.exclude(state=Preparation.State.REJECTED)

    def accepted(self) -> Self:
        return self.filter(state=Preparation.State.ACCEPTED)

    def checked(self) -> Self:
        """Those that a person has decided or changed."""
        return self.filter(~Q(state=Preparation.State.PROPOSED) | ~Q(entries=F("proposed")))

    def with_names(self) -> Self:
        """With the rows whose names a list or a file shows."""
        return self.select_related("block", "source", "item", "decided_by", "edited_by", "study")

    def change(self, *, version: int, of: Collection[str], **fields: Any) -> int:
        """Change the row if it is in one of these states and nobody changed it meanwhile; how many
        rows were changed."""
        untouched = self.filter(version=version, state__in=of)
        return untouched.update(version=F("version") + 1, **fields)


class Preparation(models.Model):
    """A list for a block, about a source with all its items or about one item."""

    class State(models.TextChoices):
        PROPOSED = "proposed"
        ACCEPTED = "accepted"
        REJECTED = "rejected"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="preparations")
    block = models.ForeignKey(Block, on_delete=models.CASCADE, related_name="preparations")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="preparations")
    # Empty where the list holds for all items of the source.
    item = models.ForeignKey(
        Item, on_delete=models.CASCADE, null=True, blank=True, related_name="preparations"
    )
    # As they stand, and as they were first proposed.
    entries = models.JSONField(default=list, blank=True)
    proposed = models.JSONField(default=list, blank=True)
    # {"by": "model", "person" or "file", …}; for a model all that is needed to ask it again, the
    # journal's file, and its replies.
    provenance = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.PROPOSED)
    # Grows with every change, so that of two people who change a list at once the second is told.
    version = models.PositiveIntegerField(default=0)
    proposed_at = models.DateTimeField(auto_now_add=True)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = PreparationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["block", "source"],
                condition=Q(item=None) & ~Q(state="rejected"),
                name="preparation_of_source_once",
            ),
            models.UniqueConstraint(
                fields=["block", "item"],
                condition=Q(item__isnull=False) & ~Q(state="rejected"),
                name="preparation_of_item_once",
            ),
        ]
        indexes = [models.Index(fields=["study", "state"], name="preparation_by_state")]

    def __str__(self) -> str:
        return self.key

    @property
    def key(self) -> str:
        """The key of the item or source that the list is about."""
        return self.source.key if self.item is None else self.item.key

    @property
    def prepared_list(self) -> PreparedList:
        # A task type has one for items and one for sources at most.
        about = "source" if self.item_id is None else "item"
        lists: tuple[PreparedList, ...] = self.block.task_type.prepared_lists
        return next(prepared for prepared in lists if prepared.about == about)

    @property
    def is_edited(self) -> bool:
        """Whether the list is not as it was proposed."""
        return bool(self.entries != self.proposed)

    @property
    def focus(self) -> Mapping[str, Any]:
        """What an accepted list adds to a unit's focus: the entries, and where they are from."""
        name = self.prepared_list.name
        origin = {key: self.provenance[key] for key in KEPT_IN_FOCUS if self.provenance.get(key)}
        accepted = (
            {"accepted_at": self.decided_at.isoformat("T", "seconds")} if self.decided_at else {}
        )
        return {
            name: self.entries,
            PREPARED: {name: {**origin, "edited": self.is_edited, **accepted}},
        }


def with_lists(focus: Mapping[str, Any], additions: Mapping[str, Any]) -> dict[str, Any]:
    """A unit's focus with what accepted lists add to it."""
    if not additions:
        return dict(focus)
    prepared = {**focus.get(PREPARED, {}), **additions.get(PREPARED, {})}
    return {**focus, **additions, PREPARED: prepared}


def accepted_by_source(study: Study) -> dict[str, dict[str, Any]]:
    """By the source's key: what its accepted lists add to the focus of every unit of it."""
    additions: dict[str, dict[str, Any]] = {}
    for row in Preparation.objects.accepted().filter(study=study, item=None).with_names():
        standing = additions.get(row.source.key, {})
        additions[row.source.key] = with_lists(standing, row.focus)
    return additions
