"""Significance clusters: by hand, by the definition, laws. No published table of clusters with the
tests that they are from could be opened."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Place, significance_clusters

PAIRS = list(combinations("abcde", 2))


def test_four_systems_by_hand() -> None:
    """a and b beat c and d; c and d are not told apart, nor a and b: two clusters of two."""
    found = significance_clusters("abcd", [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")])
    assert found == {
        "a": Place(1, 1, 2),
        "b": Place(1, 1, 2),
        "c": Place(2, 3, 4),
        "d": Place(2, 3, 4),
    }


def test_a_bridge_holds_a_cluster_together() -> None:
    """a beats c, but b is told apart from neither: one cluster; a may be first or second."""
    found = significance_clusters("abc", [("a", "c")])
    assert [place.cluster for place in found.values()] == [1, 1, 1]
    assert found == {"a": Place(1, 1, 2), "b": Place(1, 1, 3), "c": Place(1, 2, 3)}


@given(st.sets(st.sampled_from(PAIRS)))
def test_systems_of_two_clusters_always_differ(findings: set[tuple[str, str]]) -> None:
    found = significance_clusters("abcde", findings)
    clusters = [found[name].cluster for name in "abcde"]
    assert clusters == sorted(clusters)
    for one, other in PAIRS:
        if found[one].cluster < found[other].cluster:
            assert (one, other) in findings
    # There is no finer division: where a cluster goes on, some pair across is not told apart.
    for at in range(1, 5):
        across = {(one, other) for one in "abcde"[:at] for other in "abcde"[at:]}
        assert (clusters[at] > clusters[at - 1]) == (across <= findings)
    for name, place in found.items():
        assert place.best <= "abcde".index(name) + 1 <= place.worst


def test_what_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        significance_clusters("aa", [])
    with pytest.raises(ValueError, match="not in the order"):
        significance_clusters("ab", [("a", "c")])
    assert significance_clusters("", []) == {}
