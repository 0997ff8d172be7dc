"""How a page of the desk is timed: as whole requests of this process, without the network."""

import time
from statistics import median
from typing import Any

MOST = 300.0  # milliseconds
TIMES = 5


def ms(ours: float, most: float | None = None) -> dict[str, Any]:
    """A figure in milliseconds, with its bar."""
    return {"ours": ours, "unit": "ms", "most": most}


def timed(client: Any, address: str, *, times: int = TIMES, keeps: bool = False) -> float:
    """The median of a page in milliseconds. keeps: with what an earlier view left in the cache."""
    from django.core.cache import cache

    seconds = []
    client.get(address)
    for _ in range(times):
        if not keeps:
            cache.clear()
        started = time.perf_counter()
        answered = client.get(address)
        seconds.append(time.perf_counter() - started)
        assert answered.status_code == 200, (address, answered.status_code)
    return 1000 * median(seconds)
