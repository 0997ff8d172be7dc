"""The marks of a study: what people said of each text, beside what the judge said."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from annotation.models import Annotation, Rater, Study, Unit
from marking.material import BLOCK, INCLUSION, STRATUM
from marking.plans import CANNOT_SAY
from marking.studies import MARKING, strata_of


@dataclass(frozen=True)
class Mark:
    """What a person said of a text, with the note and the seconds that it took."""

    person: str
    label: str
    note: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class MarkedText:
    """A text with its marks. verdict: of the judge whose verdicts it was drawn by; judges: of all.
    inclusion: the probability with which it was drawn."""

    key: str
    verdict: str
    inclusion: float
    marks: Sequence[Mark]
    judges: Mapping[str, str]
    pk: int

    @property
    def labels(self) -> Sequence[str]:
        """What its people said who could say something."""
        return [mark.label for mark in self.marks if mark.label != CANNOT_SAY]

    def share(self, label: str) -> float:
        """The share of these who said that."""
        return self.labels.count(label) / len(self.labels)


@dataclass(frozen=True)
class Marks:
    """All marks so far. strata: each verdict of the judge with the number of texts that have it.
    drawn: how many texts people are asked about."""

    judge: str
    labels: Sequence[str]
    strata: Mapping[str, int]
    texts: Sequence[MarkedText]
    drawn: int = 0
    people: Sequence[str] = field(default=())

    @property
    def usable(self) -> Sequence[MarkedText]:
        """The texts of which somebody could say something."""
        return [text for text in self.texts if text.labels]

    @property
    def number(self) -> int:
        """Of marks, with those that could not say."""
        return sum(len(text.marks) for text in self.texts)

    @property
    def undecided(self) -> int:
        """Marks that could not say."""
        return self.number - sum(len(text.labels) for text in self.texts)

    @property
    def population(self) -> int:
        """Of texts in the file that have a verdict."""
        return sum(self.strata.values())


def marks_of(study: Study) -> Marks:
    """The marks that have been handed in."""
    told, strata = study.imported[MARKING], strata_of(study)
    names = [*strata]
    by_people, by_judges = _labels(study)
    units = {unit.pk: unit for unit in Unit.objects.filter(pk__in=by_people, study=study)}
    texts = [
        MarkedText(
            unit.key,
            names[int(unit.metadata[STRATUM]) - 1],
            float(unit.metadata[INCLUSION]),
            by_people[pk],
            by_judges.get(pk, {}),
            pk,
        )
        for pk, unit in sorted(units.items())
        if STRATUM in unit.metadata
    ]
    drawn = study.units.filter(subsets__name=study.setting).count()
    people = sorted({mark.person for text in texts for mark in text.marks})
    return Marks(told["judge"], told["labels"], strata, texts, drawn, people)


def _labels(study: Study) -> tuple[Mapping[int, list[Mark]], Mapping[int, dict[str, str]]]:
    """By unit: people's marks, and judges' labels. Labels that the file had of people are no
    marks: nobody knows by which chance these texts got them."""
    people: dict[int, list[Mark]] = defaultdict(list)
    judges: dict[int, dict[str, str]] = defaultdict(dict)
    for unit, kind, origin, mark in _answers(study):
        if kind == Rater.Kind.JUDGE:
            judges[unit].setdefault(mark.person, mark.label)
        elif kind == Rater.Kind.HUMAN and origin != "imported":
            people[unit].append(mark)
    return people, judges


def _answers(study: Study) -> Iterator[tuple[int, str, str, Mark]]:
    rows = Annotation.objects.filter(study=study, question__block__key=BLOCK).counted()
    columns = ("question__unit", "rater__kind", "rater__origin", "rater__name", "answer")
    for unit, kind, origin, name, answer, reasons, seconds in (
        rows.order_by("pk").values_list(*columns, "reasons", "active_seconds").iterator()
    ):
        label, note = str(answer["scores"][BLOCK]), "; ".join(reasons or ())
        yield unit, kind, origin, Mark(name, label, note, seconds)
