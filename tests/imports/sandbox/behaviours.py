"""What functions may do that read strangers' files: called in a process of its own."""

import os
import signal
import time
from pathlib import Path

from files.errors import ImportFailure, RecordPlace
from imports.sandbox.process import Send


class Panic(BaseException):
    """As libraries in Rust raise it."""


def process_id(_file: Path) -> int:
    return os.getpid()


def refuse(file: Path) -> None:
    raise ImportFailure(RecordPlace(f"{file}:3", file=file, raw=b"{x"), "JSON", "no JSON")


def take_memory(_file: Path, mib: int) -> int:
    return len(bytearray(mib * 2**20))


def compute(_file: Path) -> None:
    while True:
        pass


def hang(_file: Path) -> None:
    time.sleep(60)


def end_by(_file: Path, number: signal.Signals) -> None:
    os.kill(os.getpid(), number)


class Disguised:
    """Whoever unpickles it calls a function."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.putenv, ("DISGUISED", "1")


def disguise(_file: Path) -> Disguised:
    return Disguised()


def panic(_file: Path) -> None:
    raise Panic("index out of bounds")


def call_itself(file: Path) -> None:
    call_itself(file)


def text_of(_file: Path, mib: int) -> str:
    return "x" * mib * 2**20


def count_up(send: Send, _file: Path, most: int) -> None:
    for number in range(most):
        send(number)
