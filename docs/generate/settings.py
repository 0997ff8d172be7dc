"""The settings, from the comments in `config/settings.py`.

A comment such as `# PORT (8000): where it listens.` names a variable, its default and its
meaning; further lines of it are indented.
"""

import re
from pathlib import Path

from django.conf import settings

from docs.generate.markdown import code
from docs.generate.markdown import table as as_table
from tasktypes.schemas import sentence

_COMMENT = re.compile(r"^ *# ([A-Z_]+) \(([^)]*)\): (.+(?:\n *#  +.+)*)", re.MULTILINE)
_NEXT_LINE = re.compile(r"\n *#  +")


def described() -> dict[str, tuple[str, str]]:
    """Default and meaning of each variable, by its name."""
    text = (Path(settings.BASE_DIR) / "config" / "settings.py").read_text(encoding="utf-8")
    return {
        name: (default, _NEXT_LINE.sub(" ", meaning))
        for name, default, meaning in _COMMENT.findall(text)
    }


def table() -> str:
    """One row for each variable of the environment."""
    rows = [
        [code(name), default, sentence(meaning)] for name, (default, meaning) in described().items()
    ]
    return as_table(["variable", "default", "meaning"], rows)
