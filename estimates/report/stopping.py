"""Rules by which a study closes: its figure is narrow enough, or decided.

A rule looks at the interval that pages show and verdicts use: the one that holds at every look, so
that looking often does not make a study stop by chance. It is applied whenever figures are counted,
and closes the study once: opened again by a person, the study goes on until the rule is changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from agreement import Estimate
from annotation.models import Study, User, log_change
from annotation.rounds.opening import close_study
from annotation.rounds.planned import standing_of
from estimates.data.rows import Row
from estimates.report.shown import shown_estimate

Rule = Mapping[str, Any]


def stop_where_met(study: Study, rows: Iterable[Row], revision: int) -> bool:
    """Close an open study whose rule these rows meet; whether that was done."""
    open_ = Study.objects.filter(pk=study.pk, state=Study.State.OPEN).exclude(stop_rule={})
    standing = open_.values_list("stop_rule", "stops").first()
    if standing is None:
        return False
    rule, stops = standing
    row = row_of(rule, rows)
    if is_spent(rule, stops) or row is None:
        return False
    estimate = shown_estimate(row.metric, row.estimate, standing_of(study))
    if not is_met(rule, estimate):
        return False
    return close_study(study=study, stop=_record(rule, estimate, revision))


@transaction.atomic
def set_stop_rule(*, study: Study, rule: Rule, by: User) -> None:
    """Let another rule close the study, or none."""
    Study.objects.filter(pk=study.pk).update(stop_rule=dict(rule))
    log_change(study=study, by=by, action="study.stop_rule_set", detail=dict(rule))


def is_spent(rule: Rule, stops: Sequence[Mapping[str, Any]]) -> bool:
    """Whether this very rule has closed the study before."""
    return any(stop["rule"] == rule for stop in stops)


def row_of(rule: Rule, rows: Iterable[Row]) -> Row | None:
    """The figure that a rule is about; None where there is none yet. Without a facet: the first
    facet that has it."""
    return next((row for row in rows if is_about(rule, row)), None)


def is_about(rule: Rule, row: Row) -> bool:
    """Whether the rule looks at this figure."""
    same = (row.metric, row.raters) == (rule["metric"], rule["raters"])
    return same and rule["facet"] in ("", row.facet) and dict(row.group) == rule["group"]


def is_met(rule: Rule, estimate: Estimate) -> bool:
    """Whether the interval is narrow enough, or leaves out the rule's value."""
    low, high = estimate.low, estimate.high
    if low is None or high is None:
        return False
    if "half_width" in rule:
        return (high - low) / 2 <= float(rule["half_width"])
    return not low <= float(rule["excludes"]) <= high


def _record(rule: Rule, estimate: Estimate, revision: int) -> dict[str, Any]:
    """What is known of a stop ever after."""
    return {
        "rule": dict(rule),
        "at": timezone.now().isoformat(timespec="seconds"),
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "method": estimate.interval_method,
        "n_units": estimate.n_units,
        "n_ratings": estimate.n_ratings,
        "revision": revision,
    }


def rule_text(rule: Rule) -> str:
    """A rule in words."""
    parts = [rule["metric"], rule["facet"], rule["raters"]]
    parts += [f"{key}={name}" for key, name in rule["group"].items()]
    figure = ", ".join(filter(None, parts))
    if "half_width" in rule:
        return f"{figure}: half of the interval at most {rule['half_width']:g}"
    return f"{figure}: the interval leaves out {rule['excludes']:g}"


def stop_text(stop: Mapping[str, Any]) -> str:
    """A stop in words: when, by which rule, and what the figure was."""
    return (
        f"Closed by its rule on {stop['at']} ({rule_text(stop['rule'])}): {stop['value']:.3f} "
        f"({stop['low']:.3f} to {stop['high']:.3f}), n = {stop['n_units']}."
    )
