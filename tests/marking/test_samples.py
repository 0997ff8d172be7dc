from collections import Counter

import pytest

from marking.samples import doubles_of, drawn_order, share_out

VERDICTS = {f"u{n}": "pass" if n % 5 else "fail" for n in range(50)}


def test_each_verdict_gets_as_many_texts_but_for_those_with_too_few() -> None:
    assert share_out({"fail": 40, "pass": 160}, 60, {}) == {"fail": 30, "pass": 30}
    assert share_out({"fail": 4, "pass": 160}, 60, {}) == {"fail": 4, "pass": 56}
    assert share_out({"fail": 1, "pass": 2}, 60, {}) == {"fail": 1, "pass": 2}
    assert share_out({"fail": 40, "pass": 160}, 20, {"fail": 30, "pass": 30}) == {
        "fail": 40,
        "pass": 40,
    }


def test_the_order_is_by_the_seed_alone() -> None:
    order = drawn_order(VERDICTS, seed=3)
    assert order == drawn_order(dict(reversed(VERDICTS.items())), seed=3)
    assert order != drawn_order(VERDICTS, seed=4)
    assert sorted(order["fail"]) == sorted(u for u, said in VERDICTS.items() if said == "fail")


def test_every_text_of_a_verdict_is_drawn_equally_often() -> None:
    first = Counter(drawn_order(VERDICTS, seed=seed)["fail"][0] for seed in range(2000))
    assert len(first) == 10
    # 2,000 draws of one in ten: 200 with a standard deviation of 13.4.
    assert all(n == pytest.approx(200, abs=5 * 13.4) for n in first.values())


def test_a_third_of_each_verdict_is_marked_twice() -> None:
    order = drawn_order(VERDICTS, seed=1)
    doubles = doubles_of(order, {"fail": 6, "pass": 9})
    assert Counter(VERDICTS[unit] for unit in doubles) == {"fail": 2, "pass": 3}
    assert doubles <= {*order["fail"][:6], *order["pass"][:9]}
