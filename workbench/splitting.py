"""Split a study's sources once, into the half that judges are developed on and a sealed one."""

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from django.db import transaction

from annotation.models import Item, Rating, Source, Study, Unit, User, log_change
from annotation.models.answers import Annotation
from annotation.models.people import Rater
from estimates.kept.columns import drop_kept
from workbench.models import Split

# Of each label so many sources lie in either half; in each half so many have people's answers.
LEAST_OF_LABEL, LEAST_SOURCES = 2, 10
PLANNED_LOOKS, ERROR = 5, 0.05
# Labels of sources whose people gave numbers or sets, and of those that nobody answered about.
HIGH, LOW, SOME, NONE, UNANSWERED = "high", "low", "some", "none", ""
CHUNK = 500


class NotSplit(ValueError):
    """The study cannot be split; the message says why, and what it takes."""


@dataclass(frozen=True)
class SplitSource:
    """A source before it is on a side. system: its systems' names; label: what people say of it."""

    pk: int
    key: str
    system: str
    label: str


@transaction.atomic
def split_sources(
    *,
    study: Study,
    seed: int,
    share: float = 0.5,
    planned_looks: int = PLANNED_LOOKS,
    error: float = ERROR,
    by: User | None = None,
) -> Split:
    """Seal a share of the sources, drawn by seed and alike in systems and people's labels.

    Only sources of normal units are drawn. From then on answers of judges about sealed sources are
    left out of every figure, list and file, except for the figures of a look. NotSplit where the
    study is split already, or has too few sources.
    """
    study = Study.objects.select_for_update().get(pk=study.pk)
    if Split.objects.filter(study=study).exists():
        raise NotSplit("The study is split already, and is split only once.")
    if not 0 < share < 1 or not 0 < error < 1 or planned_looks < 1:
        raise NotSplit("share, error: between 0 and 1; planned looks: 1 or more.")
    sources = sources_to_split(study)
    sealed = drawn(sources, seed=seed, share=share)
    _refuse_few(sources, sealed, share)
    keys = sorted(source.key for source in sources if source.pk in sealed)
    split = Split.objects.create(
        study=study,
        seed=seed,
        share=share,
        planned_looks=planned_looks,
        error=error,
        strata=_strata(sources, sealed),
        digest=hashlib.sha256("".join(f"{key}\n" for key in keys).encode()).hexdigest(),
        made_by=by,
    )
    chosen = sorted(sealed)
    for at in range(0, len(chosen), CHUNK):
        Source.objects.filter(pk__in=chosen[at : at + CHUNK]).update(sealed=True)
    log_change(study=study, by=by, action="study.split", subject=str(seed), detail=split.as_json())
    drop_kept(study)
    Study.objects.filter(pk=study.pk).touch()
    return split


def split_of(study: Study) -> Split | None:
    """How the study was split; None where it was not."""
    return Split.objects.filter(study=study).first()


def drawn(sources: Sequence[SplitSource], *, seed: int, share: float) -> set[int]:
    """Which sources are sealed: every so many-th of them, from a start drawn by the seed, in the
    order of label, system and lot. So of each label and of each system within it their number
    differs from its share by less than one."""
    ordered = sorted(sources, key=lambda s: (s.label, s.system, _lot(seed, s.key), s.key))
    start = int.from_bytes(_lot(seed, "")[:8], "big") / 2**64
    steps = [math.floor(start + at * share) for at in range(len(ordered) + 1)]
    return {source.pk for at, source in enumerate(ordered) if steps[at + 1] > steps[at]}


def sources_to_split(study: Study) -> list[SplitSource]:
    """The sources of normal units, with their systems and what people say of them."""
    normal = Unit.objects.filter(study=study, role=Unit.Role.NORMAL).order_by().values("source")
    rows = Source.objects.filter(pk__in=normal).order_by("pk").values_list("pk", "key")
    systems: dict[int, set[str]] = defaultdict(set)
    for source, system in Item.objects.filter(study=study).values_list("source", "system"):
        systems[source].add(system)
    labels = _labels(study)
    return [
        SplitSource(pk, key, ", ".join(sorted(systems[pk])), labels.get(pk, UNANSWERED))
        for pk, key in rows
    ]


def _labels(study: Study) -> dict[int, str]:
    """By source what people say of it in the first facet of the study: the commonest label; whether
    the mean number is at or above the middle one of all sources; whether they chose anything."""
    facet = next(facet for block in study.blocks.order_by("position") for facet in block.facets)
    answers = Annotation.objects.filter(study=study, rater__kind=Rater.Kind.HUMAN).counted()
    rows = Rating.objects.filter(annotation__in=answers, facet=facet.name).order_by("pk")
    given: dict[int, list[Any]] = defaultdict(list)
    columns = ("annotation__question__unit__source", "number", "label", "members")
    for source, number, label, members in rows.values_list(*columns).iterator(2000):
        given[source].append(label if label is not None else members if number is None else number)
    if facet.kind == "label":
        return {source: _commonest(values) for source, values in given.items()}
    if facet.kind == "set":
        return {source: SOME if any(values) else NONE for source, values in given.items()}
    means = {source: fmean(values) for source, values in given.items()}
    middle = median(means.values()) if means else 0.0
    return {source: HIGH if mean >= middle else LOW for source, mean in means.items()}


def _commonest(labels: Iterable[str]) -> str:
    counts = Counter(labels)
    return min(counts, key=lambda label: (-counts[label], label))


def _refuse_few(sources: Sequence[SplitSource], sealed: set[int], share: float) -> None:
    """NotSplit where a label, or all that people answered about, is too rare in a half."""
    smaller = min(share, 1 - share)
    answered = [source for source in sources if source.label != UNANSWERED]
    if _fewest(answered, sealed) < LEAST_SOURCES:
        needed = math.ceil(LEAST_SOURCES / smaller)
        raise NotSplit(
            f"People answered about {len(answered)} sources; a split needs {needed}, so that each "
            f"half has {LEAST_SOURCES}."
        )
    for label, n in sorted(Counter(source.label for source in answered).items()):
        of_label = [source for source in answered if source.label == label]
        if _fewest(of_label, sealed) < LEAST_OF_LABEL:
            needed = math.ceil(LEAST_OF_LABEL / smaller)
            raise NotSplit(
                f"Of the label {label!r} there are {n} sources; a split needs {needed}, so that "
                f"each half has {LEAST_OF_LABEL}."
            )


def _fewest(sources: Sequence[SplitSource], sealed: set[int]) -> int:
    n = sum(source.pk in sealed for source in sources)
    return min(n, len(sources) - n)


def _strata(sources: Sequence[SplitSource], sealed: set[int]) -> list[Mapping[str, Any]]:
    counts = Counter((s.label, s.system, s.pk in sealed) for s in sources)
    names = sorted({(source.label, source.system) for source in sources})
    return [
        {
            "label": label,
            "system": system,
            "development": counts[label, system, False],
            "sealed": counts[label, system, True],
        }
        for label, system in names
    ]


def _lot(seed: int, key: str) -> bytes:
    return hashlib.sha256(f"{seed}\n{key}".encode()).digest()
