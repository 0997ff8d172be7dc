"""What the data manager keeps: views of the table, actions on many units, texts for searching."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models import Item, Source, Study, Unit


class SavedView(models.Model):
    """Filters, order and columns of the table of units under a name. query: as in the address.
    shared: every member sees it."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="saved_views")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_views"
    )
    name = models.CharField(max_length=80)
    query = models.TextField(blank=True)
    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["study", "owner", "name"], name="saved_view_once")
        ]

    def __str__(self) -> str:
        return self.name


class UnitAction(models.Model):
    """One action on many units, first proposed with how many it is about, then confirmed.

    A job does it (`desk.data.units.actions`), in short transactions, each of which marks its units,
    so that one that was interrupted goes on where it was.
    """

    class Kind(models.TextChoices):
        RETIRE = "retire"
        REINSTATE = "reinstate"
        ADD = "add"
        REMOVE = "remove"
        ASK_AGAIN = "ask_again"
        PRIORITY = "priority"
        ADJUDICATE = "adjudicate"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="unit_actions")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    kind = models.CharField(max_length=12, choices=Kind.choices)
    # What the kind needs: {"subset"}, {"more"} or {"priority"}.
    parameters = models.JSONField(default=dict)
    # The action whose reverse this is, for the units that it changed.
    undoes = models.OneToOneField(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="undone_by"
    )
    # The address of the table that it was chosen in.
    query = models.TextField(blank=True)
    n_units = models.PositiveIntegerField(default=0)
    proposed_at = models.DateTimeField(auto_now_add=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["proposed_at"],
                name="unit_action_proposed",
                condition=Q(confirmed_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.n_units}"


class UnitActionUnit(models.Model):
    """A unit that an action is about. changed: whether it made a difference; null until done."""

    action = models.ForeignKey(UnitAction, on_delete=models.CASCADE, related_name="action_units")
    unit = models.ForeignKey(Unit, on_delete=models.CASCADE, related_name="action_units")
    changed = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["action", "unit"], name="unit_once_per_action")
        ]
        indexes = [
            models.Index(
                fields=["action"], name="unit_action_to_do", condition=Q(changed__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.unit_id} in {self.action_id}"


class MaterialText(models.Model):
    """The words of a source or an item, folded (`str.casefold`), for searching."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    source = models.OneToOneField(Source, on_delete=models.CASCADE, null=True, related_name="+")
    item = models.OneToOneField(Item, on_delete=models.CASCADE, null=True, related_name="+")
    text = models.TextField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(source__isnull=True) ^ Q(item__isnull=True), name="text_of_one_thing"
            )
        ]

    def __str__(self) -> str:
        return self.text[:60]
