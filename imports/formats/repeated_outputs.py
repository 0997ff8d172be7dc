"""Outputs that stand in several rows of tables."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from files.errors import Contradiction, ImportFailure
from files.findings import Findings
from files.reading.model import Holds, Reading
from files.reading.records import ReadUnit

# The finding that counts the rows of outputs that stood in an earlier row.
GATHERED = "rows_gathered"


@dataclass
class _Stood:
    """Where an output stood first, the digests of its text and of all else, and in how many rows it
    stands."""

    file: Path
    where: str
    digests: tuple[bytes, bytes]
    times: int = 1


@dataclass
class RepeatedOutputs:
    """The outputs of tables, as their rows are read."""

    reading: Reading
    _by_key: dict[str, _Stood] = field(default_factory=dict)

    def is_new(self, unit: ReadUnit) -> bool:
        """Whether no row before had this; ImportFailure where one had another by its name, if the
        reading refuses that."""
        earlier, digests = self._by_key.get(unit.key), _digests(unit)
        if earlier is None:
            where = str(unit.where).removeprefix(f"{unit.where.file}:")
            self._by_key[unit.key] = _Stood(unit.where.file, where, digests)
        elif earlier.digests == digests or not self.reading.refuses_other_texts:
            earlier.times += 1
        else:
            raise self._other(unit, earlier, same_text=earlier.digests[0] == digests[0])
        return earlier is None

    def _other(self, unit: ReadUnit, earlier: _Stood, *, same_text: bool) -> ImportFailure:
        name = unit.outputs[0].key
        other = "other columns" if same_text else "another text"
        reason = f"duplicate: {name!r} stands at {earlier.where} already, with {other}"
        columns = self.reading.holding(Holds.OUTPUT)
        if not columns and not same_text:
            reason += "; does a system have several outputs? Choose a column for their ID"
        kind = ImportFailure if same_text else Contradiction
        return kind(unit.where, ", ".join(columns or self.reading.holding(Holds.SYSTEM)), reason)

    def tell(self, findings: Findings) -> None:
        """Say how often outputs stand in the files, where some do so more than once."""
        stood = [*self._by_key.values()]
        times = [each.times for each in stood]
        if repeated := sum(times) - len(times):
            least, most = min(times), max(times)
            stand = "each text stands" if least == most else f"texts stand {least} to"
            told = f"{stand} {most} times: {len(times)} texts in {sum(times)} rows"
            findings.count(GATHERED, repeated)
            findings.list_places(GATHERED, [f"{stood[0].file.name}: {told}"])


def _digests(unit: ReadUnit) -> tuple[bytes, bytes]:
    """They tell an output's text apart from others, and all else that is told of it."""
    (output, *_), texts = unit.outputs, unit.texts
    beside = (unit.source, unit.reference, output.system, *output.about.values())
    return _digest(output.text or ""), _digest(*beside, *texts, *texts.values())


def _digest(*texts: str) -> bytes:
    written = "\0".join(" ".join(text.split()) for text in texts)
    return hashlib.sha256(written.encode("utf-8", "replace")).digest()
