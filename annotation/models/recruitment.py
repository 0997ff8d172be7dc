"""A panel's side of a study, as read through its API, and what was sent there.

Every call that decides or pays is a row before it is made. The row's state is changed by
conditional UPDATEs alone, so that of two processes one makes the call.
"""

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.models.links import new_token
from annotation.models.money import LedgerRow
from annotation.models.people import Participation
from annotation.models.study import Study


class SubmissionStatus(StrEnum):
    """Where a submission stands at Prolific."""

    RESERVED = "RESERVED"
    ACTIVE = "ACTIVE"
    REVIEW = "AWAITING REVIEW"
    APPROVED = "APPROVED"
    PARTIALLY_APPROVED = "PARTIALLY APPROVED"
    REJECTED = "REJECTED"
    RETURNED = "RETURNED"
    TIMED_OUT = "TIMED-OUT"
    SCREENED_OUT = "SCREENED OUT"


class PanelStudy(models.Model):
    """A study as it was made at a panel; a study may be there several times, round by round.

    `body` is what was sent. `key` stands in its internal name there, by which it is recognised
    again where the answer was lost.
    """

    class State(models.TextChoices):
        INTENDED = "intended"
        SENT = "sent"
        MADE = "made"
        GIVEN_UP = "given_up"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="panel_studies")
    panel = models.CharField(max_length=40)
    key = models.CharField(max_length=40, unique=True, default=new_token)
    body = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State.choices, default=State.INTENDED)
    external_id = models.CharField(max_length=100, blank=True)
    # As the panel told it last: its own word, and its currency.
    status = models.CharField(max_length=40, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    # Fees included, in the currency's minor unit.
    cost_minor = models.PositiveBigIntegerField(null=True, blank=True)
    places_taken = models.PositiveIntegerField(null=True, blank=True)
    problem = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    # When its submissions were read last.
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "panel studies"
        constraints = [
            models.UniqueConstraint(
                fields=["study"],
                condition=Q(state__in=["intended", "sent"]),
                name="one_panel_study_being_made",
            ),
            models.UniqueConstraint(
                fields=["panel", "external_id"],
                condition=~Q(external_id=""),
                name="panel_study_once",
            ),
        ]

    def __str__(self) -> str:
        return str(self.body.get("name") or self.key)

    @property
    def reward_minor(self) -> int:
        """What the panel pays for an approved submission, in the currency's minor unit."""
        return int(self.body.get("reward", 0))

    @property
    def places(self) -> int:
        """How many people were asked for."""
        return int(self.body.get("total_available_places", 0))


class PanelSubmission(models.Model):
    """A submission at a panel as it was read last, and whose it is here, if anybody's."""

    class Code(models.TextChoices):
        """Which of the study's codes the worker gave."""

        NONE = ""
        COMPLETED = "completed"
        SCREENED_OUT = "screened_out"
        RETURNED = "returned"
        OTHER = "other"

    panel_study = models.ForeignKey(
        PanelStudy, on_delete=models.CASCADE, related_name="submissions"
    )
    # Replaced by a tombstone when the worker's identifiers are erased.
    external_id = models.CharField(max_length=100, unique=True)
    participation = models.ForeignKey(
        Participation,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="panel_submissions",
    )
    # The number of the session here (see `panels.visits`); 0 where they never came in it.
    visit = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=40)
    code = models.CharField(max_length=12, choices=Code.choices, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    return_asked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"submission {self.pk}: {self.status}"


class PanelDecision(models.Model):
    """A decision about a submission, and how far it has got to the panel."""

    class Kind(models.TextChoices):
        APPROVE = "approve"
        REJECT = "reject"
        ASK_RETURN = "ask_return"

    class State(models.TextChoices):
        """Only `sent` may or may not have reached the panel."""

        INTENDED = "intended"
        SENT = "sent"
        CONFIRMED = "confirmed"
        FAILED = "failed"

    submission = models.ForeignKey(
        PanelSubmission, on_delete=models.CASCADE, related_name="decisions"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    category = models.CharField(max_length=40, blank=True)
    message = models.TextField(blank=True)
    state = models.CharField(max_length=9, choices=State.choices, default=State.INTENDED)
    # Which process has taken it on.
    claim = models.CharField(max_length=40, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    problem = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            # A submission is not approved and rejected at once, and a double click decides once.
            models.UniqueConstraint(
                fields=["submission"],
                condition=Q(state__in=["intended", "sent"]),
                name="one_panel_decision_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.submission_id}: {self.state}"


class PanelPayment(models.Model):
    """Bonuses that a panel pays in one go, in a currency's minor unit.

    Its ledger rows belong to it from the first moment, so that no file and no other payment holds
    them. They are given back only where it is certain that nothing was paid for them.
    """

    class State(models.TextChoices):
        """reserved: nothing was sent. prepared: set up at the panel, which pays nothing. claimed:
        one process is about to pay. sent: the panel may have paid. confirmed: it has."""

        RESERVED = "reserved"
        PREPARED = "prepared"
        CLAIMED = "claimed"
        SENT = "sent"
        CONFIRMED = "confirmed"
        GIVEN_UP = "given_up"

    UNPAID = (State.RESERVED, State.PREPARED)
    UNDER_WAY = (*UNPAID, State.CLAIMED, State.SENT)

    panel_study = models.ForeignKey(PanelStudy, on_delete=models.PROTECT, related_name="payments")
    state = models.CharField(max_length=9, choices=State.choices, default=State.RESERVED)
    currency = models.CharField(max_length=3)
    total_minor = models.PositiveBigIntegerField()
    # The panel's own id and figures, from setting it up. cost: total, fees and VAT.
    external_id = models.CharField(max_length=100, blank=True)
    fees_minor = models.PositiveBigIntegerField(null=True, blank=True)
    cost_minor = models.PositiveBigIntegerField(null=True, blank=True)
    # Participations that were owed something then and are not in it: it is left to another.
    left_out = models.JSONField(default=list)
    claim = models.CharField(max_length=40, blank=True)
    problem = models.CharField(max_length=500, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            # New bonuses of a submission belong to the only payment that may have made them.
            models.UniqueConstraint(
                fields=["panel_study"],
                condition=Q(state__in=["claimed", "sent"]),
                name="one_panel_payment_under_way",
            )
        ]

    def __str__(self) -> str:
        return f"payment {self.pk}: {self.state}"


class PanelPaymentLine(models.Model):
    """One worker's bonus in a payment.

    `before` holds the bonuses that the submission had when the payment was sent (minor unit): one
    of this amount beyond them is this one.
    """

    payment = models.ForeignKey(PanelPayment, on_delete=models.CASCADE, related_name="lines")
    submission = models.ForeignKey(
        PanelSubmission, on_delete=models.PROTECT, related_name="bonuses"
    )
    participation = models.ForeignKey(
        Participation, on_delete=models.PROTECT, related_name="panel_bonuses"
    )
    minor = models.PositiveBigIntegerField()
    before = models.JSONField(default=list)
    paid_at = models.DateTimeField(null=True, blank=True)
    # Taken out of the payment, since it is certain that it was not paid.
    released_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["payment", "submission"], name="one_bonus_per_payment"),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | Q(released_at__isnull=True),
                name="paid_or_released",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.minor} in {self.payment_id}"


class PaidRow(models.Model):
    """A ledger row that a payment holds. A row is in one payment at most."""

    row = models.OneToOneField(LedgerRow, on_delete=models.PROTECT, related_name="paid_through")
    line = models.ForeignKey(PanelPaymentLine, on_delete=models.CASCADE, related_name="rows")

    def __str__(self) -> str:
        return f"{self.row_id} in {self.line_id}"
