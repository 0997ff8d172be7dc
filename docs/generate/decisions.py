"""The list of decisions."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "decisions"


def listed() -> str:
    """A line for each decision, by its number."""
    return "\n".join(
        f"{int(file.name[:4])}. [{_title(file)}]({file.name})"
        for file in sorted(FOLDER.glob("[0-9]*.md"))
    )


def _title(file: Path) -> str:
    return file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
