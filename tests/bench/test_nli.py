"""The pairs of the bench nli: each once, the same whenever they are drawn."""

import pytest

from bench.nli import _made_up, _pairs


@pytest.mark.parametrize("mixed", [False, True])
def test_pairs_are_drawn_once_each_and_always_the_same(mixed: bool) -> None:
    texts = _made_up()
    pairs = _pairs(texts, 100, mixed=mixed)
    assert len(set(pairs)) == 100
    assert pairs == _pairs(texts, 100, mixed=mixed)
    lengths = sorted(len(evidence) for evidence, _ in pairs)
    assert (lengths[-1] > 5 * lengths[0]) or not mixed
