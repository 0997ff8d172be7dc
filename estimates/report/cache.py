"""Estimates, computed once per change of a study's answers."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from django.db import transaction
from django.utils import timezone

from annotation.models import Study
from annotation.rater_names import BETWEEN
from annotation.rounds.collection import Standing
from estimates.data.bundles.reader import from_bundle
from estimates.data.counts import AnswerCount, answer_counts
from estimates.data.database import from_database
from estimates.data.options import Options
from estimates.data.parties import judge_in
from estimates.data.rows import Row
from estimates.data.study_data import StudyData
from estimates.engine.estimation import estimate
from estimates.kept.columns import from_kept_columns
from estimates.models import CachedEstimates
from estimates.report.drift import drift_rows
from estimates.report.headline import headline_of
from estimates.report.stopping import stop_text, stop_where_met


@dataclass(frozen=True)
class Report:
    """The rows of a study as of one revision of its answers.

    outdated: what is counted has changed since. seconds: how long computing it took, where that is
    known. standing: as which the rows are shown, see `report.live`; None where they are not yet.
    """

    study: Study
    revision: int
    computed_at: datetime
    options: Options
    rows: tuple[Row, ...]
    versions: Mapping[str, int]
    counts: Sequence[AnswerCount] = ()
    outdated: bool = False
    seconds: float | None = None
    standing: Standing | None = None

    @property
    def live(self) -> bool:
        """Whether intervals are those that hold at every look."""
        return self.standing is not None and self.standing.is_live

    @property
    def epsilon(self) -> float:
        """How much less often than a person a judge may be the nearer one."""
        return self.study.epsilon if self.options.epsilon is None else self.options.epsilon

    @property
    def stops(self) -> list[str]:
        """Each time that the study's rule closed it, in words."""
        return [stop_text(stop) for stop in self.study.stops]

    def with_rows(self, more: "Report | None") -> "Report":
        """With the rows of another report of the study behind its own."""
        return self if more is None else replace(self, rows=(*self.rows, *more.rows))

    def under_full_names(self) -> Iterator[Row]:
        """The rows of the newest version again as `name@version`, of judges with an older one in
        the report (of every judge where everything was asked for)."""
        names = self.versions if self.options.everything else self._with_older_versions()
        for row in self.rows:
            named = [
                f"{name}@{self.versions[name]}" if name in names else name
                for name in row.raters.split(BETWEEN)
            ]
            if BETWEEN.join(named) != row.raters:
                yield replace(row, raters=BETWEEN.join(named))

    def _with_older_versions(self) -> set[str]:
        """The plain names of judges of which several versions are in the report."""
        named = {name for row in self.rows for name in row.raters.split(BETWEEN)}
        plain = {name: judge_in(name, self.versions) for name in named}
        return {judge for name, judge in plain.items() if judge and judge != name}


def report_of(study: Study, options: Options | None = None) -> Report:
    """The study's report as its answers are now, computed only where they have changed."""
    options = options or Options()
    # Read before the answers are: an answer that comes in meanwhile makes this outdated at once.
    revision = revision_of(study)
    kept = _kept(study, options)
    if kept is None or kept.revision != revision:
        kept = compute(study, revision, options)
    return _report(study, options, kept, revision)


def report_of_bundle(path: Path, options: Options) -> Report:
    """The report of an exported study, computed from its files. BundleError where it is none."""
    study, data = from_bundle(path)
    estimates = estimate(data, options)
    return Report(
        study=study,
        revision=study.revision,
        computed_at=timezone.now(),
        options=options,
        rows=estimates.rows,
        versions=estimates.versions,
    )


def kept_report(study: Study, options: Options | None = None) -> Report | None:
    """The report that was computed last, outdated or not; None where there is none."""
    options = options or Options()
    revision, kept = revision_of(study), _kept(study, options)
    return None if kept is None else _report(study, options, kept, revision)


def kept_revision(study: Study) -> int | None:
    """The revision of the report that was computed last, without the report."""
    kept = CachedEstimates.objects.filter(study=study, options_hash=Options().hash)
    return kept.values_list("revision", flat=True).first()


def revision_of(study: Study) -> int:
    """The study's revision as it is in the database now."""
    revision: int = Study.objects.values_list("revision", flat=True).get(pk=study.pk)
    return revision


def compute(
    study: Study, revision: int, options: Options, *, data: StudyData | None = None
) -> CachedEstimates:
    """Compute a report and keep it, unless one of a later revision was kept meanwhile; the study
    closes where that meets its rule.

    revision: as read before the answers. data: where they were read already.
    """
    started = time.monotonic()
    estimates = estimate(data or _data(study, revision, options), options)
    drift = () if options.likeness else drift_rows(study, estimates.versions)
    values = {
        "revision": revision,
        "seconds": time.monotonic() - started,
        "rows": [row.as_json() for row in (*estimates.rows, *drift)],
        "versions": dict(estimates.versions),
        "headline": headline_of(study, estimates.rows),
        "counts": [
            [count.kind, count.raters, count.answers] for count in answer_counts(study, options)
        ],
    }
    with transaction.atomic():
        kept, created = CachedEstimates.objects.select_for_update(no_key=True).get_or_create(
            study=study, options_hash=options.hash, defaults=values
        )
        if not created and kept.revision <= revision:
            for name, value in values.items():
                setattr(kept, name, value)
            kept.save()
    if options == Options():
        stop_where_met(study, estimates.rows, revision)
    return kept


def _data(study: Study, revision: int, options: Options) -> StudyData:
    """The kept columns of a large study, where nothing has changed since; else the rows of the
    database."""
    kept = None if options.excluded else from_kept_columns(study, revision)
    return kept or from_database(study, excluded=options.excluded)


def _kept(study: Study, options: Options) -> CachedEstimates | None:
    return CachedEstimates.objects.filter(study=study, options_hash=options.hash).first()


def _report(study: Study, options: Options, kept: CachedEstimates, revision: int) -> Report:
    return Report(
        study=study,
        revision=kept.revision,
        computed_at=kept.computed_at,
        options=options,
        rows=tuple(Row.from_json(row) for row in kept.rows),
        versions=kept.versions,
        counts=tuple(AnswerCount(*count) for count in kept.counts),
        outdated=kept.revision != revision,
        seconds=kept.seconds,
    )
