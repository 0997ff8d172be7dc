"""Sources, items, units and questions."""

from functools import lru_cache
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast

from annotation.models.rounds import Round
from annotation.models.study import Block, Study, Subset
from tasktypes.pages.free_text import FreeText
from tasktypes.registry import task_type
from tasktypes.schemas import Schema
from tasktypes.texts import material
from tasktypes.texts.written import as_written, spaces_of


class Source(models.Model):
    """The input that outputs are about: a claim with its evidence, a document, a query, or a
    conversation."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="sources")
    key = models.CharField(max_length=200)
    claim = models.TextField(blank=True)
    verdict = models.CharField(max_length=200, blank=True)
    passages = models.JSONField(default=list, blank=True)
    chains = models.JSONField(default=list, blank=True)
    document = models.TextField(blank=True)
    query = models.TextField(blank=True)
    nuggets = models.JSONField(default=list, blank=True)
    # A conversation, turn by turn.
    turns = models.JSONField(default=list, blank=True)
    # Own columns of the file that it came from, which no worker and no judge is shown.
    metadata = models.JSONField(default=dict, db_default={}, blank=True)
    # In the half that judges are tested on; who develops one does not see its answers about it.
    sealed = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="source_key_once")]
        indexes = [
            models.Index(fields=["study"], name="source_sealed", condition=Q(sealed=True)),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def material(self) -> material.Source:
        fields = material.Source.model_fields
        return material.Source.model_validate({name: getattr(self, name) for name in fields})


class Item(models.Model):
    """One output for a source, with what groups it in the results."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="items")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=200)
    system = models.CharField(max_length=200, blank=True)
    system_family = models.CharField(max_length=200, blank=True)
    evidence_source = models.CharField(max_length=200, blank=True)
    condition = models.CharField(max_length=200, blank=True)
    sentences = models.JSONField(default=list)
    perturbed_from = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="perturbations"
    )
    metadata = models.JSONField(default=dict, db_default={}, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="item_key_once")]

    def __str__(self) -> str:
        return self.key

    @property
    def material(self) -> material.Item:
        fields = set(material.Item.model_fields) - {"perturbed_from"}
        return material.Item.model_validate({name: getattr(self, name) for name in fields})

    @property
    def text(self) -> str:
        """The whole text as it was written; empty where it is not known."""
        spaces = spaces_of([sentence.get("before") for sentence in self.sentences])
        text = as_written([sentence["text"] for sentence in self.sentences], spaces)
        return text if material.is_known(text) else ""


class UnitQuerySet(models.QuerySet["Unit"]):
    """Selections of units that people are asked about."""

    def normal_pool(self) -> Self:
        """Normal units without those whose source is used for a control: workers who have met one
        would know the answer to the control."""
        return self.filter(~Unit.is_lent(), role=Unit.Role.NORMAL)

    def lent_to_controls(self) -> Self:
        """The normal units that `normal_pool` leaves out."""
        return self.filter(Unit.is_lent(), role=Unit.Role.NORMAL)

    def checked_controls(self) -> Self:
        """Controls that a file gave or a person has validated, and that nobody has retired."""
        return self.filter(role__in=Unit.CONTROLS).exclude(check_state__in=Unit.UNUSED)


class Unit(models.Model):
    """What a worker sees at once: a source with its items. Workers are never told its role."""

    class Role(models.TextChoices):
        NORMAL = "normal"
        POSITIVE = "positive"
        NEGATIVE = "negative"
        EXAMPLE = "example"
        TRAINING = "training"

    class Check(models.TextChoices):
        """Whether a person has looked at a control that was generated."""

        NOT_NEEDED = "not_needed"
        PROPOSED = "proposed"
        VALIDATED = "validated"
        REJECTED = "rejected"
        # Turned out to be wrong: no longer given out, and left out of all accuracies.
        RETIRED = "retired"

    CONTROLS = (Role.POSITIVE, Role.NEGATIVE)
    # Generated controls that nobody has validated: part of no result.
    UNCHECKED = (Check.PROPOSED, Check.REJECTED)
    # Controls that are not valid, yet or any more: given to nobody, part of no accuracy.
    UNUSED = (*UNCHECKED, Check.RETIRED)

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="units")
    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="units")
    items = models.ManyToManyField(Item, through="UnitItem", related_name="units")
    subsets = models.ManyToManyField(Subset, related_name="units", blank=True)
    key = models.CharField(max_length=300)
    role = models.CharField(max_length=8, choices=Role.choices, default=Role.NORMAL)
    # The only round of a normal or training unit; empty where the file names none.
    round = models.ForeignKey(
        Round, on_delete=models.RESTRICT, null=True, blank=True, related_name="own_units"
    )
    # What within the material the unit is about, such as {"passage": 3}.
    focus = models.JSONField(default=dict, blank=True)
    # Why the reference is right, for worked examples and training.
    reasons = models.TextField(blank=True)
    # The same for single parts of the answer, by part: {"recovery.2": "…"}.
    part_reasons = models.JSONField(default=dict, blank=True)
    metadata = models.JSONField(default=dict, db_default={}, blank=True)
    # How a control was generated: {"round", "pool", "seed", "made_from"}.
    proposal = models.JSONField(default=dict, blank=True)
    check_state = models.CharField(max_length=10, choices=Check.choices, default=Check.NOT_NEEDED)
    checked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    checked_at = models.DateTimeField(null=True, blank=True)
    # Since when no more answers to a normal unit are wanted; its places are then retired, too.
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = UnitQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="unit_key_once")]
        indexes = [models.Index(fields=["study", "role"], name="unit_by_role")]

    def __str__(self) -> str:
        return self.key

    @staticmethod
    def is_lent() -> models.Exists:
        """Whether the source of a unit is used for a control."""
        controls = Unit.objects.filter(source=models.OuterRef("source"), role__in=Unit.CONTROLS)
        return models.Exists(controls.exclude(check_state=Unit.Check.REJECTED))


class UnitItem(models.Model):
    """An item's place in a unit; the order in which it is shown."""

    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="unit_items")
    item = models.ForeignKey(Item, on_delete=models.CASCADE, related_name="unit_items")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["unit", "position"], name="unit_item_position_once"),
            models.UniqueConstraint(fields=["unit", "item"], name="unit_item_once"),
        ]

    def __str__(self) -> str:
        return f"{self.unit_id}[{self.position}]"


# Payloads of so many characters at most are kept once read, and so many of them.
KEPT_LENGTH, KEPT = 20_000, 512


@lru_cache(maxsize=KEPT)
def read_payload(slug: str, text: str) -> Schema:
    """The payload in a text of at most `KEPT_LENGTH` characters."""
    payload: Schema = task_type(slug).Payload.model_validate_json(text)
    return payload


class QuestionQuerySet(models.QuerySet["Question"]):
    """Ways to load questions."""

    def sealed(self) -> Self:
        """Those about sources of the half that judges are tested on."""
        return self.filter(unit__source__sealed=True)

    def with_text(self) -> Self:
        """With the payload as text: `typed_payload` caches what it has parsed by the text itself,
        so that nothing cached can be out of date."""
        text = Cast("payload", models.TextField())
        return self.defer("payload").annotate(payload_text=text)

    def as_asked(self) -> Self:
        """With payload and the keys of unit and source; questions of a block share one Block."""
        read = self.only("study", "block", "payload", "unit__key", "unit__source__key")
        return read.select_related("unit__source").prefetch_related("block")


class Question(models.Model):
    """A unit in a block: what is shown, frozen, and the right answer where there is one."""

    # Set by `with_text`.
    payload_text: str | None = None
    # What the worker who meets it is asked for beside the answer; set where it is read for one.
    free_text: FreeText | None = None

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="questions")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="questions")
    block = models.ForeignKey(Block, on_delete=models.CASCADE, related_name="questions")
    payload = models.JSONField()
    reference = models.JSONField(null=True, blank=True)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["unit", "block"], name="question_once")]
        indexes = [
            models.Index(
                fields=["study", "block"],
                name="question_with_reference",
                condition=Q(reference__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.unit_id}/{self.block_id}"

    @property
    def typed_payload(self) -> Schema:
        text = self.payload_text
        if text is not None and len(text) <= KEPT_LENGTH:
            return read_payload(self.block.task_type_slug, text)
        payload: Schema = self.block.task_type.Payload.model_validate(self.payload)
        return payload

    @property
    def typed_reference(self) -> Schema | None:
        return None if self.reference is None else self.typed_answer(self.reference)

    def typed_answer(self, answer: Any) -> Schema:
        """The answer in this question's schema; pydantic's ValidationError if it does not fit."""
        typed: Schema = self.block.task_type.Answer.model_validate(answer)
        return typed

    def is_right(self, answer: Schema) -> bool:
        """Whether the answer is right; False where there is no right answer."""
        reference = self.typed_reference
        return reference is not None and self.block.task_type.is_right(
            self.typed_payload, answer, reference
        )
