"""An installation that is hurt on purpose: its processes, its disks, its clocks and its code."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil

from bench.serve.databases import ROOT
from bench.serve.servers import Running, is_up
from desk.installation.processes import web
from tests.faults.clocks import Clocks, NoClocks
from tests.faults.disks import Disk, NoDisk, small_disk
from tests.faults.proxy import HOST, Proxy
from tests.faults.trees import new_code
from tests.services.ports import free_port
from tests.services.postgres import PostgresServer, Unavailable, find_binaries

DISKS_MIB = {"data": 256, "database": 512}
# A deployment lets requests and tasks come to their end, as docker-compose.yml does.
STOP_WITHIN_S = 30.0
MEND_WITHIN_S = 120.0


@dataclass
class Installation:
    """What both settings have. folder: of everything that is written. trees: of the code, the
    present one first. lacks: what cannot be hurt here, with the reason."""

    folder: Path
    web: Proxy
    processes: dict[str, Running] = field(default_factory=dict)
    disks: dict[str, Disk] = field(default_factory=dict)
    lacks: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(init=False)
    clocks: Clocks | None = None
    trees: list[Path] = field(default_factory=lambda: [ROOT])
    webhook_port: int = field(default_factory=free_port)
    _commands: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            self.clocks = Clocks.made_in(self.folder)
        except NoClocks as reason:
            self.lacks["clock"] = str(reason)
        # The suite's own broker lies in the memory of one process.
        inherited = {name: os.environ[name] for name in os.environ if name != "BROKER_URL"}
        self.environment = {
            **inherited,
            "DJANGO_SETTINGS_MODULE": "tests.faults.hasty_settings",
            "JURYBOX_DATA": str(self.folder / "data"),
            "DATABASE_URL": "",
            "SECRET_KEY": "a key for the tests of faults alone",
            "LOG_LEVEL": "WARNING",
            "PYTHONUNBUFFERED": "1",
            "WEBHOOK_PORTS": str(self.webhook_port),
            "WEBHOOK_PRIVATE": f"{HOST}:{self.webhook_port}",
        }

    def add(self, name: str, *command: str, port: int | None = None) -> None:
        """A process of the program, run by manage.py, with a clock of its own."""
        python = [sys.executable, "-W", "ignore:You're running the worker with superuser"]
        clock = self.clocks.environment(name) if self.clocks else {}
        log = self.folder / f"{name}.log"
        running = Running([], {**self.environment, **clock}, self.trees[0], log)
        self.processes[name] = running
        self._commands[name] = [*python, "manage.py", *command]
        self._use_tree(running, name)

    def _use_tree(self, running: Running, name: str) -> None:
        tree = self.trees[0]
        running.command, running.folder = self._commands[name], tree
        running.environment = {**running.environment, "PYTHONPATH": str(tree)}

    def named(self, *kinds: str) -> list[str]:
        """The names of processes that begin with one of these words."""
        return [name for name in self.processes if name.startswith(kinds)]

    def family(self, name: str) -> list[psutil.Process]:
        """A process and those that it has started."""
        process = self.processes[name].process
        with suppress(psutil.NoSuchProcess):
            if process is not None:
                leader = psutil.Process(process.pid)
                return [leader, *leader.children(recursive=True)]
        return []

    def restart(self, name: str, *, after: float = 0.0) -> None:
        """As whoever looks after it does when it has died: what is left of it goes first."""
        self.processes[name].kill()
        time.sleep(after)
        self.processes[name].start()

    def deploy(self) -> None:
        """The other code in the place of the present one, while all others go on."""
        if len(self.trees) == 1:
            self.trees.append(new_code(self.folder / "new-code"))
        self.trees.reverse()
        self._deploy()

    def _deploy(self) -> None:
        raise NotImplementedError

    def renew(self, name: str) -> None:
        """End a process in order, and start it from the present tree."""
        running = self.processes[name]
        running.end(within=STOP_WITHIN_S)
        self._use_tree(running, name)
        running.start()

    def mend(self) -> None:
        """Bring up what is down, and wait until all of it answers."""
        for name in self.processes:
            if self.processes[name].has_ended():
                self.restart(name)
        give_up_at = time.monotonic() + MEND_WITHIN_S
        while not all(map(self.answers, self.web.targets)):
            assert time.monotonic() < give_up_at, "the web does not answer"
            time.sleep(0.5)

    def answers(self, port: int) -> bool:
        return is_up(f"http://{HOST}:{port}/healthz")

    def run(self, *arguments: str, tree: Path | None = None) -> str:
        """What a program prints that runs on its database, past all that is hurt."""
        tree = tree or self.trees[0]
        done = subprocess.run(
            [sys.executable, *arguments],
            env={**self.environment, **self.directly(), "PYTHONPATH": str(tree)},
            cwd=tree,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout

    def directly(self) -> Mapping[str, str]:
        """What leads a process to the database itself."""
        return {}

    def proxies(self) -> list[Proxy]:
        return [self.web]

    def mend_database(self) -> None:
        """Start it where it has ended by itself."""

    @property
    def webhook(self) -> str:
        return f"http://{HOST}:{self.webhook_port}/"

    def end(self) -> None:
        for running in self.processes.values():
            running.kill()


@dataclass
class Embedded(Installation):
    """`manage.py start`: one process that keeps its web server and its worker up, on SQLite."""

    def start(self) -> None:
        port = self.web.targets[0]
        self.add("start", "start", "--port", str(port))
        self.mend()

    def restart(self, name: str, *, after: float = 0.0) -> None:
        """Its children have sessions of their own, which outlive it when it is killed."""
        for process in self.family(name):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        super().restart(name, after=after)

    def _deploy(self) -> None:
        self.renew("start")

    def mend(self) -> None:
        super().mend()
        _wait_for(lambda: len(self.part("celery")) > 1, "no worker")

    def part(self, word: str) -> list[psutil.Process]:
        """The processes of `gunicorn` or `celery`, the leader first."""
        found = []
        for process in self.family("start"):
            with suppress(psutil.NoSuchProcess):
                if word in process.cmdline():
                    found.append(process)
        return found

    def end(self) -> None:
        for process in self.family("start"):
            with suppress(psutil.NoSuchProcess):
                process.kill()
        super().end()


@dataclass
class Served(Installation):
    """PostgreSQL and Redis that keep what they have confirmed, two web processes behind a balancer,
    two workers, beat."""

    database: Proxy = field(default_factory=lambda: Proxy(free_port(), []))
    postgres: PostgresServer = field(default_factory=lambda: PostgresServer(Path()))

    def directly(self) -> Mapping[str, str]:
        return {"DATABASE_URL": self.postgres.url}

    def start(self) -> None:
        for number, port in enumerate(self.web.targets, 1):
            command = list(web(port=port).command)[2:]
            self.add(f"web-{number}", *command, "--workers", "1")
        for number in (1, 2):
            worker = ["celery", "-A", "config", "worker", "--concurrency", "1"]
            self.add(f"worker-{number}", *worker, "-n", f"{number}@%h", "--loglevel", "WARNING")
        self.add("beat", "celery", "-A", "config", "beat", "--loglevel", "WARNING")
        self.mend()

    def restart_database(self, mode: str, *, after: float) -> None:
        """One that has not ended in time, for a client that takes nothing, is ended at once."""
        for how in (mode, "immediate"):
            with suppress(subprocess.CalledProcessError):  # or it has ended by itself
                self.postgres.stop(how)
                break
        time.sleep(after)
        self.postgres.start()

    def _deploy(self) -> None:
        """One process after another, as docs/backup.md says: workers drop tasks that they do not
        know, and the balancer sends nobody to a web process that is not up."""
        self.run("manage.py", "migrate", "--verbosity", "0")
        for name in self.named("worker"):
            self.renew(name)
        for port, name in zip(list(self.web.targets), self.named("web"), strict=True):
            self.web.targets = [other for other in self.web.targets if other != port]
            self.renew(name)
            _wait_for(partial(self.answers, port), f"{name} does not answer")
            self.web.targets = sorted({*self.web.targets, port})
        self.renew("beat")

    def proxies(self) -> list[Proxy]:
        return [self.web, self.database]

    def mend_database(self) -> None:
        if not _is_alive(self.postgres):
            self.postgres.start()

    def mend(self) -> None:
        self.mend_database()
        super().mend()

    def end(self) -> None:
        super().end()
        with suppress(subprocess.CalledProcessError):
            self.postgres.stop()


def _is_alive(server: PostgresServer) -> bool:
    try:
        return psutil.pid_exists(server.pid())
    except (OSError, ValueError):
        return False


def _wait_for(holds: Callable[[], bool], otherwise: str) -> None:
    give_up_at = time.monotonic() + MEND_WITHIN_S
    while not holds():
        assert time.monotonic() < give_up_at, otherwise
        time.sleep(0.2)


@contextmanager
def embedded() -> Iterator[Embedded]:
    """On SQLite, not yet started: there is a migrated database."""
    with ExitStack() as stack:
        folder = stack.enter_context(_folder())
        there = Embedded(folder, Proxy(free_port(), [free_port()]))
        _mount(stack, there, "data")
        stack.callback(there.end)
        there.run("manage.py", "migrate", "--verbosity", "0")
        yield there


def why_not_served() -> str:
    """What the served setting lacks here; empty where it can be had."""
    try:
        find_binaries()
    except Unavailable as reason:
        return str(reason)
    return "" if shutil.which("redis-server") else "redis-server is not installed"


@contextmanager
def served() -> Iterator[Served]:
    """On PostgreSQL and Redis, which run; the program is not yet started."""
    with ExitStack() as stack:
        folder = stack.enter_context(_folder())
        redis = free_port()
        there = Served(folder, Proxy(free_port(), sorted([free_port(), free_port()])))
        for name in DISKS_MIB:
            _mount(stack, there, name)
        there.postgres = PostgresServer(folder / "database", settings=SMALL)
        there.postgres.make()
        there.postgres.start()
        there.database.targets = [there.postgres.port]
        through = there.postgres.url.replace(f":{there.postgres.port}/", f":{there.database.port}/")
        addresses = {"DATABASE_URL": through, "BROKER_URL": f"redis://{HOST}:{redis}/0"}
        there.environment |= addresses
        stack.callback(there.end)
        there.processes["redis"] = _redis(redis, folder)
        there.processes["redis"].start()
        there.run("manage.py", "migrate", "--verbosity", "0")
        there.run("manage.py", "collectstatic", "--no-input", "--verbosity", "0")
        yield there


# So that the disk of the database need not be large.
SMALL = {"max_wal_size": "64MB", "min_wal_size": "32MB"}


def _redis(port: int, folder: Path) -> Running:
    """As docker-compose.yml starts it."""
    options = {"port": str(port), "bind": HOST, "appendonly": "yes", "dir": str(folder)}
    command = [
        "redis-server",
        *(part for key, value in options.items() for part in (f"--{key}", value)),
    ]
    return Running(command, os.environ, folder, folder / "redis.log")


def _mount(stack: ExitStack, there: Installation, name: str) -> None:
    try:
        there.disks[name] = stack.enter_context(small_disk(there.folder / name, DISKS_MIB[name]))
    except NoDisk as reason:
        there.lacks[f"disk of {name}"] = str(reason)
    shutil.rmtree(there.folder / name / "lost+found", ignore_errors=True)


@contextmanager
def _folder() -> Iterator[Path]:
    """Not pytest's own: PostgreSQL's user may enter it."""
    folder = Path(tempfile.mkdtemp(prefix="jurybox-faults-", dir="/tmp"))
    folder.chmod(0o755)
    for name in DISKS_MIB:
        (folder / name).mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
