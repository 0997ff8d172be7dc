"""The limits within which strangers' files are read, each with its reason. Those of single kinds of
files, such as the columns of a table, stand where the kind is read."""

from dataclasses import dataclass
from typing import Self

from django.conf import settings

MIB = 2**20
# So many files are read at once by one process of the program: each may take the whole memory.
AT_ONCE = 2
# Python, Django and what reads tables load in one or two seconds, and slower on a busy machine.
START_SECONDS = 60
# What the process hands over at a time. It is a record at least, and no text of a study is longer.
LARGEST_MESSAGE = 32 * MIB
# A machine that is busy may give the process a third of a core.
_BUSY = 3


@dataclass(frozen=True)
class Limits:
    """memory: bytes beyond those of the process before it reads. cpu: seconds that it may work."""

    memory: int
    cpu: int

    @classmethod
    def waited_for(cls) -> Self:
        """Of a file that somebody waits for in the browser."""
        return cls(settings.READ_MEMORY_MIB * MIB, settings.READ_SECONDS)

    @classmethod
    def in_background(cls, size: int) -> Self:
        """Of files of so many bytes that a worker imports: each MiB gets the same time again."""
        return cls(settings.READ_MEMORY_MIB * MIB, settings.READ_SECONDS * (1 + size // MIB))

    @property
    def silence(self) -> float:
        """Seconds after which a process that says nothing is taken to hang."""
        return self.cpu * _BUSY

    @property
    def too_much_memory(self) -> str:
        """The reason to refuse a file, in words."""
        return f"reading it takes more than {self.memory // MIB} MiB of memory: refused"

    @property
    def too_long(self) -> str:
        """The reason to refuse a file, in words."""
        return f"reading it takes more than {self.cpu} seconds: refused"
