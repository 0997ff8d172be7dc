"""manage.py judge_loop STUDY: split a study, test judges on its sealed half, see what flipped."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.studies import study_by_slug
from annotation.models import Study
from annotation.models.changes import logged_by_name
from judges.definitions.versions import BadJudge
from judges.runs.delivery.wait import wait_for
from judges.runs.plans.amounts import in_usd, positive, usd
from judges.runs.plans.scope import RunRefused
from workbench.looks import (
    LookRefused,
    as_json,
    budget_of,
    finished,
    forecast_look,
    looks_of,
    publish_sealed,
    take_look,
    version_named,
)
from workbench.loop import Flips, Version, flips, versions_of
from workbench.models import Look, Split
from workbench.splitting import ERROR, PLANNED_LOOKS, NotSplit, split_sources

ACTS = ("show", "split", "look", "flips", "publish")


class Command(BaseCommand):
    """`manage.py judge_loop STUDY [ACT] [JUDGE…]`."""

    help = "Split a study, test judges on its sealed half by counted looks, see what flipped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("act", nargs="?", choices=ACTS, default="show")
        parser.add_argument(
            "judges",
            metavar="JUDGE",
            nargs="*",
            help="show: names; look: one, perhaps with @VERSION; flips: two versions of one",
        )
        parser.add_argument(
            "--seed", type=int, default=0, metavar="N", help="split: of the draw of sources"
        )
        parser.add_argument(
            "--share", type=float, default=0.5, metavar="S", help="split: of the sealed half"
        )
        parser.add_argument(
            "--looks", type=positive, default=PLANNED_LOOKS, metavar="N", help="split: at most"
        )
        parser.add_argument(
            "--error", type=float, default=ERROR, metavar="E", help="split: of all looks together"
        )
        parser.add_argument(
            "--max-cost", type=usd, metavar="USD", help="look: do not plan above this cost"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="look: only print its calls, cost and error"
        )

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        names: list[str] = options["judges"]
        wanted = {"look": 1, "flips": 2}.get(options["act"])
        if wanted is not None and len(names) != wanted:
            raise CommandError(f"{options['act']} needs the name of {wanted} judge(s)")
        try:
            lines = getattr(self, f"_{options['act']}")(study, names, options)
            for line in lines:
                self.stdout.write(line)
        except (NotSplit, LookRefused, RunRefused, BadJudge) as error:
            raise CommandError(str(error)) from error

    def _split(self, study: Study, _names: list[str], options: dict[str, Any]) -> Iterator[str]:
        made = split_sources(
            study=study,
            seed=options["seed"],
            share=options["share"],
            planned_looks=options["looks"],
            error=options["error"],
        )
        yield _split_line(made)

    def _show(self, study: Study, names: list[str], _options: dict[str, Any]) -> Iterator[str]:
        budget = budget_of(study)
        looks = looks_of(study)
        if budget is None:
            yield "The sources are not split."
        else:
            yield _split_line(budget.split)
            taken = f"{budget.taken} of {budget.split.planned_looks} looks taken"
            yield f"{taken}, error spent {budget.spent:.4f} of {budget.split.error:g}."
            yield from (line for look in looks for line in _look_lines(look, budget.split))
        for name in names:
            for version in versions_of(study, name, looks) or ():
                yield from _version_lines(version)

    def _look(self, study: Study, names: list[str], options: dict[str, Any]) -> Iterator[str]:
        rater, cost = version_named(study, names[0]), options["max_cost"]
        if options["dry_run"]:
            forecast = forecast_look(study=study, rater=rater, max_cost=cost)
            budget = budget_of(study)
            assert budget is not None  # it would have been refused
            calls = 0 if forecast is None else forecast.calls
            price = "" if forecast is None or forecast.usd is None else f", {in_usd(forecast.usd)}"
            yield f"{calls} calls{price}; intervals at a confidence of {budget.confidence}."
            return
        look = take_look(study=study, rater=rater, max_cost=cost)
        if look.run is not None and not look.figures:
            wait_for(run_id=look.run.pk, on_progress=lambda _done: None)
            look = finished(Look.objects.select_related("run", "rater", "study").get(pk=look.pk))
        budget = budget_of(study)
        assert budget is not None  # it has a look
        yield from _look_lines(look, budget.split)

    def _publish(self, study: Study, *_unused: Any) -> Iterator[str]:
        split = publish_sealed(study=study)
        yield f"{split.study.slug}: bundles have the answers behind its looks, and no look is left."

    def _flips(self, study: Study, names: list[str], _options: dict[str, Any]) -> Iterator[str]:
        raters = [version_named(study, name) for name in names]
        if raters[0].name != raters[1].name:
            raise LookRefused("flips are between two versions of one judge")
        versions = {v.rater: v for v in versions_of(study, raters[0].name, []) or ()}
        yield from _flip_lines(flips(study, *(versions[rater] for rater in raters)))


def _split_line(split: Split) -> str:
    return (
        f"Split by seed {split.seed}: {split.development} sources to develop on, {split.sealed} "
        f"sealed (SHA-256 {split.digest})."
    )


def _look_lines(look: Look, split: Split) -> Iterator[str]:
    said = as_json(look, split)
    head = f"{said['judge']}, sealed half, look {said['look']} of {said['planned_looks']}"
    if not look.figures:
        yield f"{head}: no figures yet."
    for figure in look.figures:
        yield f"{head}: {figure['title']} {_figure(figure)}"


def _figure(figure: dict[str, Any]) -> str:
    if figure["value"] is None:
        return f"undefined: {figure['undefined']}"
    bounds = "" if figure["low"] is None else f", {figure['low']:.3f} to {figure['high']:.3f}"
    return f"{figure['value']:.3f}{bounds} (n = {figure['n_units']})"


def _version_lines(version: Version) -> Iterator[str]:
    for figure in version.figures:
        name = f"{version.rater.name}@{version.rater.version}"
        yield f"{name}, development half: {figure.title} {_figure(figure.as_json())}"


def _flip_lines(found: Flips) -> Iterator[str]:
    yield (
        f"Of {found.n_both} units that both answered, {found.n_better} are nearer to people by "
        f"the second, and {found.n_worse} are farther."
    )
    for word, units in (("nearer", found.better), ("farther", found.worse)):
        yield from (f"{word}: {u.key}, {u.before:.3f} → {u.close:.3f}" for u in units)
