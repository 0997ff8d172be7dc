"""The cards of a study, out of the database."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from annotation.models import Annotation, Block, GoldAnswer, Rater, Study
from estimates.data.database import rater_records
from estimates.report.cache import Report
from judges.methods.registry import find_method
from judges.models import Judge, JudgeRun
from judges.runs.provenance import code_version
from workbench.cards.basis import NOT_PUBLISHED, Basis, Labels, Looked
from workbench.cards.card import Card, CardFigure, JudgeSaid, TaskSaid
from workbench.cards.limits import Facts, limits
from workbench.cards.prices import call_records, paid_for
from workbench.cards.writing import layout
from workbench.looks import looks_of, seen_before
from workbench.models import Split
from workbench.splitting import split_of

# What of a judge's parameters stands in no card: what people answered, the prompt's own text,
# which is there as a whole, and files of the server.
UNSAID = ("examples", "fit", "system", "template", "replies", "replies_sha256")


class NoCard(ValueError):
    """There is no card of a judge that never answered; the message says so."""


def cards_of(study: Study, report: Report, *, rater: Rater | None = None) -> list[Card]:
    """A card for each judge and block that it answered, in their order; of this judge alone, where
    one is given. report: with the intervals that pages show."""
    split = split_of(study)
    gathered = _Gathered(study, report, _basis(study, report, rater), split)
    blocks = {block.pk: block for block in study.blocks.order_by("position")}
    pairs = [(r, b) for r, b in _answered(study) if rater is None or r == rater.pk]
    raters = Rater.objects.in_bulk({pk for pk, _block in pairs})
    return [gathered.card(raters[r], blocks[b]) for r, b in pairs]


def never_answered(rater: Rater, block: str = "") -> NoCard:
    """Why a judge has no card, or none for a block."""
    where = f" to {block!r}" if block else ""
    return NoCard(f"{rater.name}@{rater.version} has no answer{where}, so that it has no card.")


def judge_named(study: Study, reference: str) -> Rater:
    """The judge `name` or `name@version`, imported or not; without a version the newest with
    answers. NoCard where the study has none."""
    judges = study.raters.filter(kind=Rater.Kind.JUDGE)
    name, _, number = reference.rpartition("@")
    found = judges.filter(name=reference).order_by("-version")
    if name and number.isdecimal() and len(number) < 10:
        found = judges.filter(name=name, version=int(number))
    answered = {pk for pk, _block in _answered(study)}
    chosen = next((rater for rater in found if rater.pk in answered), found.first())
    if chosen is None:
        raise NoCard(f"No judge {reference!r} has answered in {study.slug}.")
    return chosen


def _answered(study: Study) -> list[tuple[int, int]]:
    """Judges with the blocks that they answered, or whose look has figures there."""
    answers = Annotation.objects.filter(study=study, rater__kind=Rater.Kind.JUDGE)
    looked = [look.rater_id for look in looks_of(study) if look.figures]
    seen, columns = set[tuple[int, int]](), ("rater", "question__block")
    for rows in (answers.counted(), answers.counted(sealed=True).filter(rater__in=looked)):
        seen.update(rows.order_by().values_list(*columns).distinct())
    order = {pk: at for at, pk in enumerate(_in_order(study))}
    return sorted(seen, key=lambda pair: (order[pair[0]], pair[1]))


def _in_order(study: Study) -> list[int]:
    judges = study.raters.filter(kind=Rater.Kind.JUDGE).order_by("name", "version")
    return list(judges.values_list("pk", flat=True))


def _basis(study: Study, report: Report, rater: Rater | None) -> Basis:
    split = split_of(study)
    stated = NOT_PUBLISHED if split is not None and split.opened_at is None else ""
    looks = {
        (look.rater.name, look.rater.version): Looked(
            look.number, split.planned_looks, look.figures, stated
        )
        for look in (looks_of(study) if split is not None else ())
        if split is not None
    }
    return Basis(
        rows=report.rows,
        versions=report.versions,
        facets={block.key: block.facets for block in study.blocks.all()},
        labels=_labels(study),
        paid=paid_for(call_records(study, **({} if rater is None else {"run__rater": rater}))),
        looks=looks,
        is_split=split is not None,
    )


def _labels(study: Study) -> dict[str, Labels]:
    answers = Annotation.objects.filter(study=study, rater__kind=Rater.Kind.HUMAN).counted()
    block = "question__block__key"
    by_origin = answers.order_by().values_list(block, "rater__origin").annotate(n=Count("pk"))
    counts = {(key, origin): n for key, origin, n in by_origin}
    whole = (
        answers.order_by()
        .values_list(block)
        .annotate(people=Count("rater", distinct=True), units=Count("question", distinct=True))
    )
    numbered = any(rater.numbered for rater in rater_records(study, kind=Rater.Kind.HUMAN))
    decided = GoldAnswer.objects.current().filter(study=study).order_by().values_list(block)
    gold = dict(decided.annotate(n=Count("pk")))
    return {
        key: Labels(
            here=counts.get((key, Rater.Origin.HERE), 0),
            imported=counts.get((key, Rater.Origin.IMPORTED), 0),
            people=None if numbered else people,
            units=units,
            gold=gold.get(key, 0),
        )
        for key, people, units in whole
    }


@dataclass(frozen=True)
class _Gathered:
    """A study with all that its cards are made from."""

    study: Study
    report: Report
    basis: Basis
    split: Split | None

    def card(self, rater: Rater, block: Block) -> Card:
        """The card of one judge for one block."""
        study, own = self.study, None
        if rater.origin == Rater.Origin.HERE:
            versions = Judge.objects.known_to(study).filter(name=rater.name, version=rater.version)
            own = versions.first()
        figures = self.basis.figures(rater.name, rater.version, block.key)
        return Card(
            judge=_judge_said(study, rater, own, block),
            task=TaskSaid(
                study=study.slug,
                title=study.title,
                block=block.key,
                kind=str(block.task_type.title),
                facets=[str(facet.title) for facet in block.facets],
            ),
            figures=figures,
            limits=limits(self._facts(rater, own, block, figures)),
            revision=self.report.revision,
            program=code_version(),
            layout=layout(),
            caution=study.caution,
        )

    def _facts(
        self, rater: Rater, judge: Judge | None, block: Block, figures: list[CardFigure]
    ) -> Facts:
        split, labels = self.split, self.basis.labels.get(block.key)
        return Facts(
            is_split=split is not None,
            is_looked_at=(rater.name, rater.version) in self.basis.looks,
            is_published=split is not None and split.opened_at is not None,
            has_seen_sealed=split is not None and seen_before(rater, split) > 0,
            is_imported=judge is None,
            is_fitted=judge is not None and bool(judge.parameters.get("fit")),
            people=None if labels is None else labels.people,
            parts=frozenset(figure.part for figure in figures if figure.value is not None),
        )


def _judge_said(study: Study, rater: Rater, judge: Judge | None, block: Block) -> JudgeSaid:
    named: dict[str, Any] = {"name": rater.name, "version": rater.version, "origin": rater.origin}
    if judge is None:
        return JudgeSaid(**named, family=rater.family)
    prompt = _prompt(study, rater, block)
    return JudgeSaid(
        **named,
        family=judge.family,
        method=judge.method,
        method_title=_title(judge.method),
        backend=judge.backend,
        model=judge.model,
        fingerprint=judge.fingerprint,
        parameters=_said(judge.parameters),
        examples=len(judge.parameters.get("examples") or ()),
        prompt=prompt.get("text", ""),
        sha256=prompt.get("hash", ""),
    )


def _title(method: str) -> str:
    try:
        return str(find_method(method).title)
    except KeyError:  # of a package that is no longer installed
        return method


def _said(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in parameters.items()
        if name not in UNSAID and value not in (None, "", [], {})
    }


def _prompt(study: Study, rater: Rater, block: Block) -> Mapping[str, str]:
    """Of the run that began last, and asked this block."""
    runs: Iterator[JudgeRun] = (
        study.judge_runs.filter(rater=rater, probe_set=None).order_by("-pk").iterator(20)
    )
    return next((run.prompts[block.key] for run in runs if block.key in run.prompts), {})
