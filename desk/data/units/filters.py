"""The filters of the table of units: a form whose fields stand in the address."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.models import (
    AdjudicationCase,
    GoldAnswer,
    Place,
    Rater,
    Study,
    Unit,
    UnitItem,
)
from annotation.queries.metadata import having
from annotation.work.problems import problems_in
from desk.data.units.search import matching
from estimates.data.report_names import report_names
from results.models import UnitDistance

ANY = ("", _("any"))
ROLES = [
    (Unit.Role.NORMAL, _("normal")),
    (Unit.Role.POSITIVE, _("positive control")),
    (Unit.Role.NEGATIVE, _("negative control")),
    (Unit.Role.EXAMPLE, _("worked example")),
    (Unit.Role.TRAINING, _("training")),
]
STATES = [
    ("open", _("open: wants more answers")),
    ("complete", _("complete")),
    ("retired", _("disabled")),
    ("adjudication", _("in adjudication")),
    ("gold", _("has a gold answer")),
    ("nowhere", _("in no round")),
]
PROBLEMS = [("yes", _("reported")), ("no", _("none reported"))]
ANY_JUDGE = "any"
# Longest list of values that is offered to choose from.
MOST_OFFERED = 200
LARGEST = 1_000_000


class UnitFilterForm(forms.Form):
    """Which units to list. Values that do not fit are left out and said so."""

    q = forms.CharField(
        required=False,
        max_length=200,
        label=_("Search"),
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    state = forms.ChoiceField(required=False, label=_("State"), choices=[ANY, *STATES])
    role = forms.ChoiceField(required=False, label=_("Role"), choices=[ANY, *ROLES])
    subset = forms.ChoiceField(required=False, label=_("Subset"))
    round = forms.ChoiceField(required=False, label=_("Round"))
    system = forms.CharField(required=False, max_length=200, label=_("System"))
    source = forms.CharField(required=False, max_length=200, label=_("Key of the source"))
    own = forms.CharField(required=False, max_length=400, label=_("Own column, as name=value"))
    least = forms.IntegerField(
        required=False, min_value=0, max_value=LARGEST, label=_("Answers, at least")
    )
    most = forms.IntegerField(
        required=False, min_value=0, max_value=LARGEST, label=_("Answers, at most")
    )
    problem = forms.ChoiceField(required=False, label=_("Problem"), choices=[ANY, *PROBLEMS])
    priority = forms.ChoiceField(
        required=False, label=_("Priority"), choices=[ANY, *Place.Priority.choices]
    )
    apart = forms.FloatField(
        required=False, min_value=0, max_value=1, label=_("Disagreement of at least (0–1)")
    )
    judge = forms.ChoiceField(required=False, label=_("Judge"))
    differs = forms.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        label=_("Judge differs from people by at least (0 to 1)"),
    )

    def __init__(self, study: Study, data: QueryDict | dict[str, str]) -> None:
        super().__init__(data, auto_id="filter-%s")
        self.study = study
        self.judges = judge_names(study)
        names = study.subsets.order_by("name").values_list("name", flat=True)
        self._offer("subset", [(name, name) for name in names])
        self._offer("round", [(str(r.pk), r.name) for r in study.rounds.all()])
        self._offer(
            "judge",
            [(ANY_JUDGE, _("any judge")), *((str(pk), name) for pk, name in self.judges.items())],
        )
        if not self.judges:
            del self.fields["judge"], self.fields["differs"]
        for name in ("apart", "differs"):
            if name in self.fields:
                self.fields[name].widget.attrs["step"] = "any"

    def _offer(self, name: str, choices: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [ANY, *choices[:MOST_OFFERED]]

    def clean_own(self) -> str:
        """A name and a value."""
        text = str(self.cleaned_data["own"])
        if text and not all(_name_and_value(text)):
            raise forms.ValidationError(_("Write a name and a value, such as topic=health."))
        return text

    @property
    def chosen(self) -> dict[str, Any]:
        """The values that fit, without empty ones."""
        self.full_clean()
        return {name: of for name, of in self.cleaned_data.items() if of not in ("", None)}

    @property
    def n_chosen(self) -> int:
        """How many filters are on, besides the search."""
        return len(self.chosen.keys() - {"q"})

    @property
    def filter_fields(self) -> list[forms.BoundField]:
        """All fields but the search."""
        return [field for field in self if field.name != "q"]


def judge_names(study: Study) -> dict[int, str]:
    """The study's judges by rater, as reports call them; two queries."""
    return report_names(study, list(study.raters.filter(kind=Rater.Kind.JUDGE)))


def filtered(study: Study, chosen: dict[str, Any]) -> QuerySet[Unit]:
    """The units of the study that fit the chosen values of a `UnitFilterForm`."""
    units = study.units.order_by()
    for part in _parts(study, chosen):
        units = units.filter(part)
    if "least" in chosen or "most" in chosen:
        bounds = {
            "answers__gte": chosen.get("least", 0),
            "answers__lte": chosen.get("most", LARGEST),
        }
        normal = units.filter(role=Unit.Role.NORMAL)
        units = normal.alias(answers=answers_of(study)).filter(**bounds)
    return units


def answers_of(study: Study) -> Any:
    """The counted answers of people to a unit: those of its places; in a study without rounds the
    people who answered, as of when that was counted last."""
    of_unit = {"unit": OuterRef("pk")}
    if Place.objects.filter(round__study=study).exists():
        sums = Place.objects.filter(**of_unit).order_by().values("unit")
        return Coalesce(Subquery(sums.annotate(n=Sum("counted")).values("n")), 0)
    people = UnitDistance.objects.filter(**of_unit, rater=None)
    return Coalesce(Subquery(people.values("n")[:1]), 0)


def apart_of(_study: Study) -> Any:
    """How far people are apart on a unit; -1 where that is not known."""
    people = UnitDistance.objects.filter(unit=OuterRef("pk"), rater=None)
    return Coalesce(Subquery(people.values("distance")[:1]), -1.0)


def priority_of(_study: Study) -> Any:
    """The highest priority among a unit's places; the usual one where it has none."""
    places = Place.objects.filter(unit=OuterRef("pk")).order_by("-priority")
    return Coalesce(Subquery(places.values("priority")[:1]), Place.Priority.USUAL.value)


def _parts(study: Study, chosen: dict[str, Any]) -> Iterator[Q]:
    if "q" in chosen:
        yield matching(study, chosen["q"])
    if "role" in chosen:
        yield Q(role=chosen["role"])
    if "subset" in chosen:
        links = Unit.subsets.through.objects
        named = links.filter(subset__study=study, subset__name=chosen["subset"])
        yield Q(pk__in=named.values("unit"))
    if "round" in chosen:
        yield Q(pk__in=Place.objects.filter(round=chosen["round"]).values("unit"))
    if "system" in chosen:
        by = UnitItem.objects.filter(item__study=study, item__system__iexact=chosen["system"])
        yield Q(pk__in=by.values("unit"))
    if "source" in chosen:
        yield Q(source__in=study.sources.filter(key=chosen["source"]))
    if "own" in chosen:
        yield _with_own_column(study, chosen["own"])
    if "state" in chosen:
        yield in_state(study, chosen["state"])
    if "priority" in chosen:
        places = Place.objects.filter(round__study=study, priority=chosen["priority"])
        yield Q(pk__in=places.values("unit"))
    if "problem" in chosen:
        reported = Q(pk__in=problems_in(study).values("unit"))
        yield reported if chosen["problem"] == "yes" else ~reported
    yield from _distances(study, chosen)


def _name_and_value(text: str) -> tuple[str, str]:
    name, _mark, value = text.partition("=")
    return name.strip(), value.strip()


def _with_own_column(study: Study, text: str) -> Q:
    """The units that have the value, or whose source or one of whose items has it."""
    own = having(*_name_and_value(text))
    items = UnitItem.objects.filter(item__in=study.items.filter(own))
    return own | Q(source__in=study.sources.filter(own)) | Q(pk__in=items.values("unit"))


def _distances(study: Study, chosen: dict[str, Any]) -> Iterator[Q]:
    distances = UnitDistance.objects.filter(study=study)
    if "apart" in chosen:
        people = distances.filter(rater=None, distance__gte=chosen["apart"])
        yield Q(pk__in=people.values("unit"))
    if "judge" in chosen or "differs" in chosen:
        judge = chosen.get("judge", ANY_JUDGE)
        of = Q(rater__isnull=False) if judge == ANY_JUDGE else Q(rater=judge)
        far = distances.filter(of, distance__gte=chosen.get("differs", 0))
        yield Q(pk__in=far.values("unit"))


def in_state(study: Study, state: str) -> Q:
    """The units in one of `STATES`; a unit may be in several."""
    places = Place.objects.filter(unit=OuterRef("pk"))
    wanting = places.filter(retired=False, wanted__gt=F("counted"))
    if state == "open":
        return Q(Exists(wanting))
    if state == "complete":
        return Q(Exists(places.filter(wanted__gt=0)), ~Exists(wanting), retired_at=None)
    if state == "retired":
        return Q(retired_at__isnull=False) | Q(check_state=Unit.Check.RETIRED)
    if state == "adjudication":
        waiting = AdjudicationCase.objects.filter(study=study).open()
        return Q(pk__in=waiting.values("question__unit"))
    if state == "gold":
        return Q(pk__in=GoldAnswer.objects.filter(study=study).current().values("question__unit"))
    return ~Q(Exists(places))
