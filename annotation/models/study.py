"""Studies with their blocks and subsets."""

from collections import Counter
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.functional import cached_property

from annotation.models.accounts import User
from tasktypes.contract import TaskType
from tasktypes.facets import Facet
from tasktypes.pages.free_text import FreeText
from tasktypes.registry import task_type
from tasktypes.schemas import Schema

if TYPE_CHECKING:
    from annotation.models.members import Member
    from annotation.models.people import Rater

MADE_UP = (
    "The answers of people here are made up for the demonstration, by a program. They show what "
    "pages look like, and say nothing about people, judges or systems."
)


class StudyQuerySet(models.QuerySet["Study"]):
    """Selections of studies."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """The studies that a signed-in researcher is a member of."""
        return self.filter(members__user_id=user.pk).distinct()

    def touch(self) -> None:
        """Mark that what is counted has changed. The last statement of a transaction:
        it locks the rows of these studies until the commit."""
        self.update(revision=F("revision") + 1)


class _Whole(models.Manager["Study"]):
    """Studies without those that are still being imported."""

    def get_queryset(self) -> "models.QuerySet[Study]":
        return super().get_queryset().filter(importing=None)


StudyManager = _Whole.from_queryset(StudyQuerySet)


class Study(models.Model):
    """One human evaluation: what is asked, under which rules, and where it came from."""

    # How it stood when it was exported, of a study of a bundle; else empty.
    stood = ""

    class State(models.TextChoices):
        DRAFT = "draft"
        OPEN = "open"
        CLOSED = "closed"

    class Batches(models.TextChoices):
        """Whether every worker gets a batch of their own, batches are made once for all, or a team
        answers by a table."""

        COMPOSED = "composed"
        FIXED = "fixed"
        TEAM = "team"

    class TextForm(models.TextChoices):
        """What the marks in texts are: letters like all others, Markdown, or Markdown with formulas
        in LaTeX. Pages show them so; what is stored and what machines read is the same."""

        PLAIN = "plain"
        MARKDOWN = "markdown"
        FORMULAS = "formulas"

    class PartsShown(models.TextChoices):
        """Whether a question with many parts puts one of them in focus, or all on one page. What
        is asked and stored is the same."""

        ONE = "one"
        ALL = "all"

    # Whom the page of this request is for, where `access.get_study` has read it.
    viewer: "Member | None" = None

    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    # Of the workers' pages; a code of settings.LANGUAGES.
    language = models.CharField(max_length=20, default="en")
    state = models.CharField(max_length=8, choices=State.choices, default=State.DRAFT)
    # Since when an open study lets nobody start; those at work finish. A kind of being open, not a
    # state: what depends on answers coming in goes on as before.
    paused_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Since when lists leave it out. Everything else is as before.
    archived_at = models.DateTimeField(null=True, blank=True, editable=False)
    instructions = models.TextField(blank=True)
    consent_text = models.TextField(blank=True)
    consent_version = models.CharField(max_length=40, blank=True)
    tips = models.JSONField(default=list, blank=True)
    content_warning = models.TextField(blank=True)
    debrief = models.TextField(blank=True)
    # [{"question", "options", "right", "explanation"}], asked before the first batch.
    comprehension = models.JSONField(default=list, blank=True)
    comprehension_tries = models.PositiveSmallIntegerField(default=2)
    screenout_pay = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    minimum_hourly_pay = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    # What workers are told: what an hour pays, how many answers are known and what depends on
    # them, and which of those they missed.
    show_hourly_rate = models.BooleanField(default=True)
    tell_controls = models.BooleanField(default=True)
    tell_missed = models.BooleanField(default=False)
    text_form = models.CharField(
        max_length=8, choices=TextForm.choices, default=TextForm.PLAIN, db_default="plain"
    )
    parts_shown = models.CharField(
        max_length=3, choices=PartsShown.choices, default=PartsShown.ONE, db_default="one"
    )
    # Whether pages of questions count pastes, keystrokes and the like; consent pages then say so.
    collect_paradata = models.BooleanField(default=False)
    # Asked for beside every answer: {"question", "kind", "asked_of", "required", "longest"}.
    free_text = models.JSONField(default=dict, db_default={}, blank=True)
    # {"purpose", "questions": [{"question", "kind", "options", "required", "asked"}]}, asked before
    # the first batch or after the last.
    questionnaire = models.JSONField(default=dict, db_default={}, blank=True)
    ethics = models.JSONField(default=dict, blank=True)
    verdicts = models.JSONField(default=dict, blank=True)
    recruitment = models.JSONField(default=dict, blank=True)
    judges = models.JSONField(default=list, blank=True)
    conclusions = models.JSONField(default=list, blank=True)
    # When it closes by itself, as in its file, and each time it did (estimates.report.stopping).
    stop_rule = models.JSONField(default=dict, blank=True)
    stops = models.JSONField(default=list, blank=True)
    # What it may cost, and when its alerts open, as in its file.
    budget = models.JSONField(default=dict, blank=True)
    alert_rules = models.JSONField(default=dict, blank=True)
    setting = models.CharField(max_length=80, blank=True)
    # How much less a judge may agree with people than they do with each other; in the alternative
    # annotator test, how much less often than a person it may be the nearer one.
    epsilon = models.FloatField(default=0.1)
    # Facet -> the largest difference, in its own unit, that does not matter.
    margins = models.JSONField(default=dict, blank=True)
    # Own columns that results are grouped by: `source.topic`, `rater.language`.
    group_by = models.JSONField(default=list, db_default=[], blank=True)
    overlap = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])
    lease_minutes = models.PositiveIntegerField(default=60, validators=[MinValueValidator(1)])
    # How often a worker may take more time for one batch.
    max_extensions = models.PositiveSmallIntegerField(default=3)
    # In each round, where the round does not say otherwise.
    max_batches_per_worker = models.PositiveIntegerField(default=5)
    batches = models.CharField(max_length=8, choices=Batches.choices, default=Batches.COMPOSED)
    # In a team: its members, and how many units lie at least between two of one source.
    team_members = models.PositiveSmallIntegerField(default=0, db_default=0)
    team_gap = models.PositiveSmallIntegerField(default=0, db_default=0)
    seed = models.BigIntegerField(default=0)
    # While it is being imported: when that last wrote. Nobody sees the study before the end.
    importing = models.DateTimeField(null=True, blank=True, editable=False)
    # Whether its people are made up by a program, as those of the example are. Never changed: see
    # `importing.demonstration`.
    demonstration = models.BooleanField(default=False, editable=False)
    # How it was imported: format, files, counts, and oddities in the files.
    imported = models.JSONField(default=dict, blank=True)
    # Grows with every change of what is counted; the key of everything computed from answers.
    revision = models.PositiveBigIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    # The study that this one is a small copy of, in which a researcher works as a worker does.
    # Nothing that is answered, counted or owed in a copy touches the study itself.
    tryout_of = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, blank=True, related_name="tryouts"
    )
    tryout_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = StudyManager()
    with_unfinished = StudyQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "studies"
        ordering = ["slug"]
        constraints = [
            models.CheckConstraint(condition=Q(overlap__gte=1), name="study_overlap_positive"),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="study_lease_positive"),
            models.CheckConstraint(
                condition=Q(epsilon__gte=0, epsilon__lte=1), name="study_epsilon_a_share"
            ),
            models.CheckConstraint(
                condition=Q(paused_at__isnull=True) | Q(state="open"), name="study_paused_is_open"
            ),
            models.CheckConstraint(
                condition=Q(archived_at__isnull=True) | ~Q(state="open"),
                name="study_archived_is_not_open",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("desk:study", args=[self.slug])

    @cached_property
    def pays(self) -> bool:
        """Whether any of its work is paid. One query."""
        paid = self.rounds.filter(Q(base_pay__gt=0) | Q(bonus_pay__gt=0))
        return bool(self.screenout_pay) or paid.exists()

    @property
    def accepts_workers(self) -> bool:
        """Whether people may begin: newcomers, and those who ask for another batch."""
        return self.state == self.State.OPEN and self.paused_at is None

    @property
    def has_team(self) -> bool:
        """Whether its people are known beforehand, with a table of who answers what."""
        return self.batches == self.Batches.TEAM

    @property
    def contact(self) -> str:
        """Whom a worker may ask."""
        return str(self.ethics.get("contact") or "")

    @property
    def verdict_labels(self) -> tuple[tuple[str, str], ...]:
        """Each verdict with what it means in this study."""
        return tuple(self.verdicts.items())

    @property
    def tryout_url(self) -> str:
        """Where the study itself is, if this one is a try-out of it."""
        return "" if self.tryout_of is None else self.tryout_of.get_absolute_url()

    @property
    def text_of_people(self) -> FreeText | None:
        """What people are asked for beside every answer."""
        return self._text_of("people")

    @property
    def text_of_judges(self) -> FreeText | None:
        """The same of judges that ask a chat model."""
        return self._text_of("judges")

    def _text_of(self, whom: str) -> FreeText | None:
        asked = self.free_text
        if asked.get("asked_of") not in (whom, "both"):
            return None
        return FreeText(*(asked[name] for name in FreeText._fields))

    @cached_property
    def has_verdicts(self) -> bool:
        """Whether workers read claims that have a verdict."""
        return self.sources.exclude(claim="").exclude(verdict="").exists()

    @property
    def caution(self) -> str:
        """What is to be said wherever figures of its answers are shown: that people are made up,
        what an import says of itself, which half they are of. Empty where there is nothing."""
        own = MADE_UP if self.demonstration else str(self.imported.get("caution", ""))
        return " ".join(filter(None, [own, self.halves]))

    @cached_property
    def halves(self) -> str:
        """Which half of the sources figures of judges are of, where there are two; else empty."""
        split = getattr(self, "split", None)  # of a room above
        return "" if split is None else str(split.in_words)

    @property
    def has_published_figures(self) -> bool:
        """Whether it holds figures that others published, and nothing else."""
        return bool(self.imported.get("published"))

    @property
    def numbers_raters(self) -> bool:
        """Whether imported people are numbers within a unit, each of which may be somebody else in
        the next one."""
        tables = self.imported.get("reading", {}).get("tables", [])
        return any(table.get("numbered_raters") for table in tables)

    @property
    def known_people(self) -> "models.QuerySet[Rater]":
        """Raters whom figures may single out: neither judges nor numbers within a unit."""
        people = self.raters.exclude(kind="judge")
        return people.exclude(origin="imported") if self.numbers_raters else people

    @cached_property
    def is_finished_data(self) -> bool:
        """Whether it was imported with its answers or figures, and has no rounds to work in."""
        if "format" not in self.imported or self.rounds.exists():
            return False
        return self.has_published_figures or self.raters.filter(origin="imported").exists()

    def answered_elsewhere(self) -> Counter[str]:
        """How many raters of each kind were imported with their answers."""
        return Counter(self.raters.filter(origin="imported").values_list("kind", flat=True))

    def touch(self) -> None:
        """Mark that what is counted has changed, as that of a QuerySet."""
        Study.objects.filter(pk=self.pk).touch()


class Subset(models.Model):
    """A named part of a study's units, such as `sample` or `full`."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="subsets")
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="subset_once")]

    def __str__(self) -> str:
        return self.name


class Block(models.Model):
    """One task type with its options; the blocks of a study are met in order."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="blocks")
    position = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=80)
    task_type_slug = models.CharField(max_length=80)
    options = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="block_position_once"),
            models.UniqueConstraint(fields=["study", "key"], name="block_key_once"),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def task_type(self) -> TaskType[Any, Any, Any]:
        return task_type(self.task_type_slug)

    @property
    def typed_options(self) -> Schema:
        options: Schema = self.task_type.Options.model_validate(self.options)
        return options

    @property
    def facets(self) -> tuple[Facet, ...]:
        return self.task_type.facets(self.typed_options)
