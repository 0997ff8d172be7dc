"""Only the answers that the options let count."""

from collections.abc import Collection, Iterable

from estimates.data.options import Options
from estimates.data.raters import RaterKind, RaterRecord


def left_out(raters: Iterable[RaterRecord], options: Options) -> Collection[int]:
    """Ids of the people and simulated raters whose answers the options leave out; never judges."""
    people = [rater for rater in raters if rater.kind != RaterKind.JUDGE]
    if options.only:
        return {rater.pk for rater in people if rater.name != options.only}
    if options.without:
        return {rater.pk for rater in people if rater.name == options.without}
    return set()
