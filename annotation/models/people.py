"""Workers, invitations, participations, consents and raters."""

from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from annotation.models.links import Linked, TokenHash
from annotation.models.rounds import Round
from annotation.models.study import Study

if TYPE_CHECKING:
    from annotation.models.work import Assignment


class Worker(models.Model):
    """A person, known by a panel and an id there, and by a pseudonym everywhere else."""

    # The panel of researchers who try a study out, each in a copy of it.
    TRYOUT = "try-out"

    panel = models.CharField(max_length=40)
    external_id = models.CharField(max_length=200)
    # Set when the worker's identifiers were erased; the row stays as a tombstone.
    erased_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["panel", "external_id"], name="worker_once_per_panel")
        ]

    def __str__(self) -> str:
        return f"worker {self.pk}"

    @property
    def tries_out(self) -> bool:
        return self.panel == self.TRYOUT


class Invitation(Linked):
    """A link into a study: for one person (`worker`), or open up to `max_uses`."""

    token_hash = TokenHash(max_length=64, unique=True, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="invitations")
    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, null=True, blank=True)
    # The round that it leads to, for workers who qualified; empty for the first.
    round = models.ForeignKey(Round, on_delete=models.CASCADE, null=True, blank=True)
    max_uses = models.PositiveIntegerField(null=True, blank=True)
    uses = models.PositiveIntegerField(default=0)
    note = models.CharField(max_length=200, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    created_at = models.DateTimeField(auto_now_add=True)
    # From then on it admits nobody; those whom it has admitted stay.
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(max_uses__isnull=True) | Q(uses__lte=F("max_uses")),
                name="invitation_within_limit",
            )
        ]

    def __str__(self) -> str:
        return self.note or f"invitation {self.pk}"


class Participation(Linked):
    """A worker in a study, and how far they have come. Its link is their own way back into it from
    any device; links made by earlier versions lead to all that the worker took part in by then."""

    # Version and hash of the consent that was given last, where a query has brought them.
    agreed_to: str | None = None
    # What was earned in the currency of a batch, where the query of that batch has brought it.
    earned_so_far: object = None
    # Whose visit a page is for: the worker's own, or one that proved nothing, by its key. None
    # outside of any visit.
    visit_key: str | None = None

    class State(models.TextChoices):
        ARRIVED = "arrived"
        CONSENTED = "consented"
        QUALIFIED = "qualified"
        NOT_QUALIFIED = "not_qualified"
        SCREENED_OUT = "screened_out"
        REMOVED = "removed"
        LEFT = "left"
        WITHDRAWN = "withdrawn"

    class Keys(models.TextChoices):
        ON = "on"
        OFF = "off"

    # Nobody in these states gets another batch.
    ENDED = (
        State.NOT_QUALIFIED,
        State.SCREENED_OUT,
        State.REMOVED,
        State.LEFT,
        State.WITHDRAWN,
    )

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="participations")
    worker = models.ForeignKey(Worker, on_delete=models.CASCADE, related_name="participations")
    state = models.CharField(max_length=13, choices=State.choices, default=State.ARRIVED)
    # The round that the worker is in; empty before the first.
    round = models.ForeignKey(
        Round, on_delete=models.SET_NULL, null=True, blank=True, related_name="participations"
    )
    # When the worker had met the worked examples and the tips.
    introduced_at = models.DateTimeField(null=True, blank=True)
    # What else the panel said on arrival, such as its session and study ids; see `panels.visits`.
    panel_session = models.JSONField(default=dict, blank=True)
    # What they told in the study's questionnaire: {"before": [{"question", "answer"}], "after"}.
    questionnaire = models.JSONField(default=dict, db_default={}, blank=True)
    # What the panel's code for a screen-out pays; empty without a paid screen-out.
    screenout_pay = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    # Whether keys of a single sign choose answers; empty until the list of keys was offered.
    keys = models.CharField(max_length=3, choices=Keys.choices, blank=True, db_default="")
    # Workers are numbered within a study; the number is their pseudonym.
    number = models.PositiveIntegerField()
    arrived_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "worker"], name="participation_once"),
            models.UniqueConstraint(fields=["study", "number"], name="participation_number_once"),
        ]

    def __str__(self) -> str:
        return self.pseudonym

    @property
    def pseudonym(self) -> str:
        return f"worker-{self.number}"

    @property
    def has_ended(self) -> bool:
        return self.state in self.ENDED

    @property
    def own_key(self) -> str:
        """The key of the worker's own visits. It is another one after the link was made anew."""
        return f"own-{self.token_hash[:16]}"

    @property
    def is_proved(self) -> bool:
        """Whether the page is for the worker themselves; docs/rights.md says what proves it."""
        return self.visit_key == self.own_key

    @property
    def shown_batches(self) -> "models.QuerySet[Assignment]":
        """The batches that this visit may see: those begun in it, or all where it is proved."""
        batches = self.assignments.all()
        return batches if self.is_proved else batches.filter(begun_in=self.visit_key or "none")

    def opens(self, batch: "Assignment") -> bool:
        """Whether this visit may see that batch of the worker."""
        return self.is_proved or (bool(self.visit_key) and batch.begun_in == self.visit_key)


class StateChange(models.Model):
    """A change of a participation's state, and why. Never changed, except that a withdrawal erases
    the reasons that researchers gave, and is itself removed when it is taken back."""

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="state_changes"
    )
    before = models.CharField(max_length=13)
    after = models.CharField(max_length=13)
    round = models.ForeignKey(Round, on_delete=models.SET_NULL, null=True, blank=True)
    reason = models.CharField(max_length=200)
    # Empty where the study's rules decided.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True
    )
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.participation_id}: {self.before} to {self.after}"


class ComprehensionTry(models.Model):
    """One try at the study's comprehension questions."""

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="comprehension_tries"
    )
    number = models.PositiveSmallIntegerField()
    answers = models.JSONField()
    passed = models.BooleanField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["participation", "number"], name="comprehension_try_once"
            )
        ]

    def __str__(self) -> str:
        return f"try {self.number} of {self.participation_id}"


class Consent(models.Model):
    """A worker's consent to one text. Never changed: consent to a new text is a new row."""

    participation = models.ForeignKey(
        Participation, on_delete=models.CASCADE, related_name="consents"
    )
    version = models.CharField(max_length=40)
    text_hash = models.CharField(max_length=64)
    of_age = models.BooleanField()
    given_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["participation", "version", "text_hash"], name="consent_once_per_text"
            )
        ]

    def __str__(self) -> str:
        return f"{self.participation_id} to {self.version}"


class ConsentText(models.Model):
    """A text that somebody agreed to. Never changed, so that each Consent stays readable."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="consent_texts")
    version = models.CharField(max_length=40)
    text_hash = models.CharField(max_length=64)
    text = models.TextField()
    ethics = models.JSONField(default=dict)
    # When somebody agreed to it for the first time.
    first_given_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "version", "text_hash"], name="consent_text_once"
            )
        ]

    def __str__(self) -> str:
        return f"consent {self.version} of {self.study_id}"


class Rater(models.Model):
    """A person, judge or simulation that answers in a study. Each version of a judge is a rater."""

    class Kind(models.TextChoices):
        HUMAN = "human"
        JUDGE = "judge"
        SIMULATED = "simulated"

    class Origin(models.TextChoices):
        HERE = "here"
        IMPORTED = "imported"

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="raters")
    name = models.CharField(max_length=200)
    version = models.PositiveIntegerField(default=1)
    kind = models.CharField(max_length=9, choices=Kind.choices)
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.HERE)
    family = models.CharField(max_length=200, blank=True)
    # What an imported file says of a person, such as the native language: personal data, which no
    # export holds.
    metadata = models.JSONField(default=dict, db_default={}, blank=True)
    participation = models.OneToOneField(
        Participation, on_delete=models.SET_NULL, null=True, blank=True, related_name="rater"
    )

    class Meta:
        ordering = ["kind", "name", "version"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name", "version"], name="rater_once"),
            models.CheckConstraint(
                condition=Q(participation__isnull=True) | Q(kind="human"),
                name="only_humans_participate",
            ),
        ]

    def __str__(self) -> str:
        return self.name
