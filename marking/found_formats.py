"""Which of the known formats a file is of: the first whose own reader takes it."""

from dataclasses import replace

from files.errors import MISSHAPEN, ImportFailure, OpenQuestion
from imports.formats.contract import FormatInput, with_folders_read
from imports.formats.registry import every_format
from marking.material import lines_in
from marking.verdicts import candidates

TOOLS = ("inspect", "promptfoo", "mlflow", "langfuse")
TABLE = "table"


def found_format(format_input: FormatInput) -> str:
    """The name of a tool's format that reads the file and finds a judge in it; else any table."""
    if not all(_is_json(str(path)) for path in format_input.files):
        return TABLE
    for name in TOOLS:
        kind = every_format()[name]
        try:
            files = with_folders_read(kind, format_input.files)
            if candidates(lines_in(kind, replace(format_input, files=files))):
                return name
        except OpenQuestion:
            raise
        except (ImportFailure, *MISSHAPEN):
            continue  # of another format
    return TABLE


def _is_json(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith((".json", ".jsonl", ".eval"))
