"""Clocks of processes that can be set wrong while they run: a library that is preloaded."""

import shutil
import struct
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")


class NoClocks(Exception):
    """Why clocks cannot be set wrong here."""


@dataclass
class Clocks:
    """The clocks of processes, by name. folder: where their files are."""

    folder: Path
    library: Path
    names: list[str] = field(default_factory=list)

    @classmethod
    def made_in(cls, folder: Path) -> "Clocks":
        """NoClocks where there is no compiler of C."""
        library, compiler = folder / "clock.so", shutil.which("cc")
        if compiler is None:
            raise NoClocks("no compiler of C is installed")
        command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoClocks(f"{SOURCE.name} was not compiled: {done.stderr[:200]}")
        return cls(folder, library)

    def environment(self, name: str) -> dict[str, str]:
        """What gives a process a clock of its own."""
        if name not in self.names:
            self.names.append(name)
        self.set(name, 0)
        return {"LD_PRELOAD": str(self.library), "SHIFTED_CLOCK": str(self._file(name))}

    def set(self, name: str, seconds: int) -> None:
        """Let it be wrong by so many seconds."""
        file = self._file(name)
        if not file.exists():
            file.write_bytes(bytes(8))
        with file.open("r+b") as written:
            written.write(struct.pack("=q", seconds))

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.clock"
