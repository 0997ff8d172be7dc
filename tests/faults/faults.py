"""What is done to an installation: one function per kind of fault, and which setting has which.

Each returns once the fault itself is over; how the program gets well again is its own affair, but
for processes that died, which are started again as systemd or Docker would.
"""

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import psutil
import redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from tests.faults.installation import Embedded, Installation, Served
from tests.faults.proxy import Proxy

PAUSE_S = (0.5, 2.0)


@dataclass(frozen=True)
class Fault:
    """strike: takes an installation of the setting that the fault is listed for. needs: what of an
    installation it hurts, where that may be lacking."""

    name: str
    strike: Callable[[Any, Random], None]
    needs: str = ""


def pause(rng: Random, *, times: float = 1.0) -> None:
    time.sleep(times * rng.uniform(*PAUSE_S))


def kill(process: psutil.Process) -> None:
    with suppress(psutil.NoSuchProcess):
        process.kill()


def stop_for_a_while(process: psutil.Process, rng: Random) -> None:
    with suppress(psutil.NoSuchProcess):
        process.suspend()
        pause(rng, times=3)
    with suppress(psutil.NoSuchProcess):
        process.send_signal(signal.SIGCONT)


# --- What both settings know --------------------------------------------------------------------


def jump(hours: int) -> Callable[[Installation, Random], None]:
    """The clocks of some processes, or of all, are wrong for a while, and then right again."""

    def strike(there: Installation, rng: Random) -> None:
        assert there.clocks is not None
        names = there.clocks.names
        chosen = names if rng.random() < 0.5 else rng.sample(names, 1)
        for name in chosen:
            there.clocks.set(name, hours * 3600)
        pause(rng, times=4)
        for name in chosen:
            there.clocks.set(name, 0)

    return strike


def fill(disk: str) -> Callable[[Installation, Random], None]:
    def strike(there: Installation, rng: Random) -> None:
        try:
            there.disks[disk].fill()
            pause(rng, times=3)
        finally:
            there.disks[disk].relieve()
        there.mend_database()

    return strike


def drop_all(proxy: Proxy, rng: Random) -> None:
    for _ in range(3):
        proxy.drop()
        pause(rng)


def delay(proxy: Proxy, rng: Random) -> None:
    proxy.delay = rng.uniform(0.2, 1.0)
    pause(rng, times=3)
    proxy.delay = 0.0


def lose_answers(proxy: Proxy, rng: Random) -> None:
    proxy.deaf = True
    pause(rng, times=2)
    proxy.deaf = False


def silence(proxy: Proxy, rng: Random) -> None:
    proxy.delay = 60.0
    pause(rng, times=2)
    proxy.delay = 0.0
    proxy.drop()


CONNECTIONS = {
    "dropped": drop_all,
    "delayed": delay,
    "answers lost": lose_answers,
    "silent": silence,
}


def on_web(hurt: Callable[[Proxy, Random], None]) -> Callable[[Installation, Random], None]:
    return lambda there, rng: hurt(there.web, rng)


def deploy(there: Installation, _rng: Random) -> None:
    there.deploy()


COMMON: tuple[Fault, ...] = (
    Fault("clock +3 h", jump(3), "clock"),
    Fault("clock -3 h", jump(-3), "clock"),
    Fault("disk of data full", fill("data"), "disk of data"),
    Fault("deploy", deploy),
    *(Fault(f"web connections {how}", on_web(hurt)) for how, hurt in CONNECTIONS.items()),
)

# --- The served setting -------------------------------------------------------------------------


def kill_web_worker(there: Served, rng: Random) -> None:
    for process in there.family(rng.choice(there.named("web")))[1:]:
        kill(process)


def kill_leader(*kinds: str) -> Callable[[Served, Random], None]:
    """The process that others are children of: what is left of them goes when it is restarted."""

    def strike(there: Served, rng: Random) -> None:
        name = rng.choice(there.named(*kinds))
        for process in there.family(name)[:1]:
            kill(process)
        pause(rng)
        there.restart(name)

    return strike


def kill_task(there: Served, rng: Random) -> None:
    for process in there.family(rng.choice(there.named("worker")))[1:]:
        kill(process)


def kill_backend(there: Served, rng: Random) -> None:
    backends = psutil.Process(there.postgres.pid()).children()
    kill(rng.choice(backends))
    there.mend_database()


def kill_database(there: Served, rng: Random) -> None:
    kill(psutil.Process(there.postgres.pid()))
    pause(rng)
    there.postgres.start()


def stop_database(mode: str) -> Callable[[Served, Random], None]:
    return lambda there, rng: there.restart_database(mode, after=rng.uniform(1, 5))


def flush_redis(there: Served, _rng: Random) -> None:
    # It may have come back a moment ago, and be reading its file.
    patience = Retry(ConstantBackoff(0.2), retries=150)
    with redis.Redis.from_url(there.environment["BROKER_URL"], retry=patience) as client:
        client.flushall()


def take_redis_away(there: Served, rng: Random) -> None:
    there.restart("redis", after=rng.uniform(4, 10))


def freeze(*kinds: str) -> Callable[[Served, Random], None]:
    def strike(there: Served, rng: Random) -> None:
        processes = there.family(rng.choice(there.named(*kinds)))
        if processes:
            stop_for_a_while(rng.choice(processes), rng)

    return strike


def freeze_database(there: Served, rng: Random) -> None:
    backends = psutil.Process(there.postgres.pid()).children()
    stop_for_a_while(rng.choice(backends), rng)


def on_database(hurt: Callable[[Proxy, Random], None]) -> Callable[[Served, Random], None]:
    return lambda there, rng: hurt(there.database, rng)


SERVED: tuple[Fault, ...] = (
    *COMMON,
    Fault("kill web worker", kill_web_worker),
    Fault("kill web", kill_leader("web")),
    Fault("kill worker", kill_leader("worker")),
    Fault("kill task", kill_task),
    Fault("kill beat", kill_leader("beat")),
    Fault("kill Redis", kill_leader("redis")),
    Fault("kill backend", kill_backend),
    Fault("kill database", kill_database),
    Fault("stop database fast", stop_database("fast")),
    Fault("stop database immediate", stop_database("immediate")),
    Fault("flush Redis", flush_redis),
    Fault("Redis away", take_redis_away),
    Fault("disk of database full", fill("database"), "disk of database"),
    Fault("SIGSTOP web", freeze("web")),
    Fault("SIGSTOP worker", freeze("worker")),
    Fault("SIGSTOP beat, Redis", freeze("beat", "redis")),
    Fault("SIGSTOP database", freeze_database),
    *(Fault(f"database connections {how}", on_database(hurt)) for how, hurt in CONNECTIONS.items()),
)

# --- The embedded setting -----------------------------------------------------------------------


def kill_part(word: str, *, leader: bool) -> Callable[[Embedded, Random], None]:
    def strike(there: Embedded, _rng: Random) -> None:
        processes = there.part(word)
        for process in processes[:1] if leader else processes[1:]:
            kill(process)

    return strike


def kill_everything(there: Embedded, rng: Random) -> None:
    """As when the power goes, but for what the kernel would not have written yet."""
    there.restart("start", after=rng.uniform(0.5, 2))


def freeze_part(word: str) -> Callable[[Embedded, Random], None]:
    def strike(there: Embedded, rng: Random) -> None:
        if processes := there.part(word):
            stop_for_a_while(rng.choice(processes), rng)

    return strike


EMBEDDED: tuple[Fault, ...] = (
    *COMMON,
    Fault("kill web worker", kill_part("gunicorn", leader=False)),
    Fault("kill web", kill_part("gunicorn", leader=True)),
    Fault("kill worker", kill_part("celery", leader=True)),
    Fault("kill task", kill_part("celery", leader=False)),
    Fault("kill everything", kill_everything),
    Fault("SIGSTOP web", freeze_part("gunicorn")),
    Fault("SIGSTOP worker", freeze_part("celery")),
)


def possible(faults: tuple[Fault, ...], there: Installation) -> tuple[list[Fault], dict[str, str]]:
    """Those that can be done here, and what of the others is lacking."""
    lacks = there.lacks
    left_out = {fault.name: lacks[fault.needs] for fault in faults if fault.needs in lacks}
    return [fault for fault in faults if fault.name not in left_out], left_out
