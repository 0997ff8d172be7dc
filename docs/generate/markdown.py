"""Small pieces of Markdown: tables, code and JSON that people can read."""

import json
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

LINE = 96


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table. A bar inside a cell is escaped, and a line break becomes a space."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Inline code; empty stays empty."""
    return f"`{text}`" if text else ""


def codes(texts: Iterable[str]) -> str:
    """Several pieces of inline code, separated by commas."""
    return ", ".join(map(code, texts))


def folded_json(value: Any, indent: int = 0) -> str:
    """JSON on several lines, where each part that fits into a line stays on one."""
    short = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or len(short) + indent <= LINE:
        return short
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        keyed = [(f"{json.dumps(key)}: ", part) for key, part in value.items()]
    else:
        keyed = [("", part) for part in value]
    lines = [f"{inner}{key}{folded_json(part, indent + 2)}" for key, part in keyed]
    first, last = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([first, ",\n".join(lines), f"{' ' * indent}{last}"])


def block(language: str, text: str) -> str:
    """A block of code."""
    return f"```{language}\n{text.rstrip()}\n```"


def folded(title: str, text: str) -> str:
    """A part that opens when its title is pressed. Markdown is not read in a title."""
    heading = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(title, quote=False))
    return f'<details markdown="1">\n<summary>{heading}</summary>\n\n{text}\n\n</details>'
