"""Which works a metric, a kind of interval and a judge method rest on."""

import re
from collections.abc import Iterable, Mapping, Sequence

from estimates.catalogue.agreement import ALPHA
from estimates.catalogue.works import WORKS
from estimates.data.rows import Row

Keys = Sequence[str]

# Works behind a distance of α beside α itself.
DISTANCES: Mapping[str, Keys] = {
    "jaccard": ("jaccard1912",),
    "masi": ("passonneau2006",),
    "kendall": ("kemeny1959",),
}
# How a description of an interval begins or what it holds, and the works behind it.
INTERVALS: Mapping[str, Keys] = {
    r"^jackknife over": ("mackinnon2023",),
    r"^jackknife over .* and \d+ raters": ("cameron2011", "satterthwaite1946"),
    r"x systems, pooled over .*, t with": ("satterthwaite1946",),
    r"^percentile bootstrap": ("efron1979",),
    r"^confidence sequence by betting": ("waudbysmith2024",),
    r"^confidence sequence, Student": ("lai1976", "wang2025", "waudbysmith2024limit"),
    r"^Wilson": ("wilson1927",),
    r"^Newcombe": ("newcombe1998",),
    r"Bonett and Wright": ("bonett2000",),
    r"^Student, error over": ("liang1986",),
}
JUDGE_METHODS: Mapping[str, Keys] = {
    "geval": ("liu2023",),
    "prometheus": ("kim2024",),
    "unieval": ("zhong2022",),
    "nli": ("honovich2022",),
}


def of_metric(name: str) -> Keys:
    """The works behind a metric; none where it is plain arithmetic."""
    if name.startswith(ALPHA):
        return ("krippendorff2011", *DISTANCES.get(name.removeprefix(ALPHA), ()))
    return WORKS.get(name, ())


def of_metrics(names: Iterable[str]) -> list[str]:
    """The works behind these metrics, each once."""
    return list(dict.fromkeys(key for name in names for key in of_metric(name)))


def of_intervals(rows: Iterable[Row]) -> list[str]:
    """The works behind the intervals that these rows have, each once."""
    methods = {row.estimate.interval_method or "" for row in rows if row.estimate.low is not None}
    found = (
        key
        for pattern, keys in INTERVALS.items()
        if any(re.search(pattern, method) for method in methods)
        for key in keys
    )
    return list(dict.fromkeys(found))
