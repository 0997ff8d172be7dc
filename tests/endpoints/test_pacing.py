"""How fast an endpoint is asked: as fast as it can bear, and not before it says so."""

import asyncio
from datetime import UTC, datetime

import pytest

from endpoints.pacing import LONGEST_WAIT_SECONDS, Throttle, backoff, parse_retry_after

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("Sat, 21 Nov 2026 12:00:20 GMT", 20.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("86400", LONGEST_WAIT_SECONDS),
        ("-1", 0.0),
        ("", None),
        ("soon", None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_what_retry_after_says_is_read_whether_seconds_or_a_date(
    header: str, seconds: float | None
) -> None:
    assert parse_retry_after(header, NOW) == seconds


def test_so_many_calls_a_minute_begin_at_equal_distances() -> None:
    async def begin_three() -> list[float]:
        throttle = Throttle(9, per_minute=1200)

        async def begin() -> float:
            async with throttle.slot() as started:
                return started

        return sorted(await asyncio.gather(*(begin() for _ in range(3))))

    first, second, third = asyncio.run(begin_three())
    # From the first, which waits for nothing: a busy machine wakes the others late.
    assert second - first >= 0.045
    assert third - first >= 0.095


def test_waits_double_up_to_a_minute_and_differ_by_seed() -> None:
    waits = [backoff(1.0, tries, seed=1) for tries in range(1, 12)]
    for tries, wait in enumerate(waits, 1):
        longest = min(2.0 ** (tries - 1), LONGEST_WAIT_SECONDS)
        assert longest / 2 <= wait <= longest
    assert backoff(1.0, 3, seed=1) == waits[2]
    assert backoff(1.0, 3, seed=2) != waits[2]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_calls_that_were_turned_away_together_make_the_limit_smaller_once() -> None:
    clock = Clock()
    throttle = Throttle(10, clock)
    began = clock.now = 1.0
    for _ in range(10):
        throttle.record_overload(began, None)
        clock.now = 1.1
    assert throttle.limit == 7.0
    clock.now = 2.0
    throttle.record_overload(clock.now, None)
    assert throttle.limit == pytest.approx(4.9)


def test_the_limit_never_falls_below_one_nor_grows_beyond_the_most() -> None:
    clock = Clock()
    throttle = Throttle(3, clock)
    for second in range(20):
        clock.now = float(second)
        throttle.record_overload(clock.now, None)
    assert throttle.limit == 1.0
    for _ in range(50):
        throttle.record_success()
    assert throttle.limit == 3


def test_no_more_are_under_way_than_the_limit_and_all_get_their_turn() -> None:
    async def run() -> int:
        throttle, most, done = Throttle(4), 0, 0

        async def call() -> None:
            nonlocal most, done
            async with throttle.slot():
                most = max(most, throttle.active)
                await asyncio.sleep(0)
                if done == 10:
                    throttle.record_overload(throttle.clock(), None)
                throttle.record_success()
                done += 1

        await asyncio.gather(*(call() for _ in range(50)))
        assert done == 50
        return most

    assert asyncio.run(run()) == 4
