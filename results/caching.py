"""Estimates, computed once per change of a study's answers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from annotation.models import Study
from results.estimating import estimate_study
from results.models import CachedEstimates
from results.options import Options
from results.rows import Row


@dataclass(frozen=True)
class Report:
    """The rows of a study as of one revision of its answers."""

    study: Study
    revision: int
    computed_at: datetime
    options: Options
    rows: tuple[Row, ...]
    versions: Mapping[str, int]

    def under_full_names(self) -> Iterator[Row]:
        """The rows of each judge's newest version again as `name@version`, so that a figure is
        still found under that name when a newer version has come."""
        for row in self.rows:
            named = [
                f"{name}@{self.versions[name]}" if name in self.versions else name
                for name in row.raters.split("~")
            ]
            if "~".join(named) != row.raters:
                yield replace(row, raters="~".join(named))


def report_of(study: Study, options: Options | None = None) -> Report:
    """The study's report, computed only where its answers have changed since the last time."""
    options = options or Options()
    # Read before the answers are: an answer that comes in meanwhile makes this outdated at once.
    revision = Study.objects.values_list("revision", flat=True).get(pk=study.pk)
    kept = CachedEstimates.objects.filter(
        study=study, options_hash=options.hash, revision=revision
    ).first()
    if kept is None:
        kept = _compute(study, revision, options)
    rows = tuple(Row.from_json(row) for row in kept.rows)
    return Report(study, revision, kept.computed_at, options, rows, kept.versions)


def _compute(study: Study, revision: int, options: Options) -> CachedEstimates:
    found = estimate_study(study, options)
    kept, _ = CachedEstimates.objects.update_or_create(
        study=study,
        options_hash=options.hash,
        defaults={
            "revision": revision,
            "rows": [row.as_json() for row in found.rows],
            "versions": dict(found.versions),
        },
    )
    return kept
