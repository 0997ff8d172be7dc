"""What an examination of the installation finds, one line each."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How a finding is to be taken; `unsafe` and `fails` want something done."""

    OK = "ok"
    NOTE = "note"
    UNSAFE = "unsafe"
    FAILS = "fails"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. text: one sentence, with the cure where something is wrong."""

    state: Severity
    text: str


Examination = Callable[[], Iterable[Finding]]


def ok(text: str) -> Finding:
    """What is as it should be."""
    return Finding(Severity.OK, text)


def note(text: str) -> Finding:
    """What may be meant, such as an extra that is not installed."""
    return Finding(Severity.NOTE, text)


def unsafe(text: str) -> Finding:
    """What lets others in, or lets data be lost or read."""
    return Finding(Severity.UNSAFE, text)


def fails(text: str) -> Finding:
    """What does not work."""
    return Finding(Severity.FAILS, text)
