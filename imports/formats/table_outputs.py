"""The outputs of a table: their names, and those that stand in several rows."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from files.errors import Contradiction, ImportFailure
from files.findings import Findings
from files.readers.tables import TableRow
from imports.study_file.item_columns import ItemColumns

# The finding that counts the rows of outputs that stood in an earlier row.
GATHERED = "rows_gathered"

# Digests of an output's text, and of its source with the other columns that it has.
Output = tuple[bytes, bytes]


@dataclass
class _Stood:
    """Where an output stood first, and in how many rows it does."""

    where: str
    output: Output
    times: int = 1


@dataclass
class TableOutputs:
    """The outputs of one file, as its rows are read."""

    path: Path
    columns: ItemColumns
    _by_key: dict[str, _Stood] = field(default_factory=dict)
    _numbered: dict[str, dict[Output, str]] = field(default_factory=dict)

    def key(self, row: TableRow, source: str, system: str, output: Output) -> str:
        """The output's name: as the table has it, of its source and system, or with a number."""
        if self.columns.item:
            return row.text(self.columns.item)
        if system:
            return f"{source}/{system}"
        numbered = self._numbered.setdefault(source, {})
        return numbered.setdefault(output, f"{source}/{len(numbered) + 1}")

    def is_new(self, row: TableRow, key: str, output: Output) -> bool:
        """Whether no row before had this output; ImportFailure where one had another by its
        name."""
        earlier = self._by_key.get(key)
        if earlier is None:
            where = str(row.where).removeprefix(f"{self.path}:")
            self._by_key[key] = _Stood(where, output)
            return True
        if earlier.output == output:
            earlier.times += 1
            return False
        same_text = earlier.output[0] == output[0]
        other = "other columns" if same_text else "another text"
        reason = f"duplicate: {key!r} stands at {earlier.where} already, with {other}"
        if not self.columns.item and not same_text:
            reason += "; does a system have several outputs? Choose a column for their ID"
        kind = ImportFailure if same_text else Contradiction
        raise kind(row.where, self.columns.item or self.columns.system, reason)

    def tell_gathered(self, findings: Findings) -> None:
        """Say how often outputs stand in the file, where some do so more than once."""
        times = [stood.times for stood in self._by_key.values()]
        if repeated := sum(times) - len(times):
            least, most = min(times), max(times)
            stand = "each text stands" if least == most else f"texts stand {least} to"
            told = f"{stand} {most} times: {len(times)} texts in {sum(times)} rows"
            findings.count(GATHERED, repeated)
            findings.list_places(GATHERED, [f"{self.path.name}: {told}"])


def digest(*texts: str) -> bytes:
    """Tells texts apart."""
    joined = "\0".join(texts)
    return hashlib.sha256(joined.encode("utf-8", "replace")).digest()
