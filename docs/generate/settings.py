"""The settings, from the comments in `config/settings/`.

A comment such as `# PORT (8000): where it listens.` names a variable, its default and its
meaning; further lines of it are indented.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from docs.generate.markdown import code, codes, folded
from docs.generate.markdown import table as as_table
from tasktypes.schemas import sentence

_MODULE = re.compile(r"^from config\.settings\.(\w+) import", re.MULTILINE)
_SECTION = re.compile(r"^# --- (.+?) -+$", re.MULTILINE)
_COMMENT = re.compile(r"^ *# ([A-Z_]+) \(([^)]*)\): (.+(?:\n *#  +.+)*)", re.MULTILINE)
_NEXT_LINE = re.compile(r"\n *#  +")


def described() -> dict[str, tuple[str, str]]:
    """Default and meaning of each variable, by its name."""
    return {name: row for section in _sections().values() for name, row in section.items()}


def table() -> str:
    """A folded table for each section of the settings, its title with the variables' names."""
    return "\n\n".join(
        folded(f"{title}: {codes(section)}", _rows_of(section))
        for title, section in _sections().items()
        if section
    )


def _sections() -> dict[str, dict[str, tuple[str, str]]]:
    """The variables of each section of the settings."""
    folder = Path(settings.BASE_DIR) / "config" / "settings"
    names = _MODULE.findall((folder / "__init__.py").read_text(encoding="utf-8"))
    text = "".join((folder / f"{name}.py").read_text(encoding="utf-8") for name in names)
    _before, *parts = _SECTION.split(text)
    return {
        title: {
            name: (default, _NEXT_LINE.sub(" ", meaning))
            for name, default, meaning in _COMMENT.findall(part)
        }
        for title, part in zip(parts[::2], parts[1::2], strict=True)
    }


def _rows_of(section: Mapping[str, tuple[str, str]]) -> str:
    rows = [[code(name), default, sentence(text)] for name, (default, text) in section.items()]
    return as_table(["variable", "default", "meaning"], rows)
