"""`jurybox.toml`: the options of a check that is made again and again."""

import tomllib
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from files.errors import ImportFailure

NAME, TABLE = "jurybox.toml", "check"
# What belongs to one run, and what every command of Django has.
_NOT_KEPT = {
    *("save", "show_reading", "json", "markdown", "junit", "html", "help", "version", "verbosity"),
    *("settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks"),
}


def read_settings(parser: ArgumentParser, path: Path) -> Mapping[str, Any]:
    """The options of the file, by their names in the program; none where there is no file.
    ImportFailure for keys and values that are no options."""
    if not path.is_file():
        return {}
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8")).get(TABLE, {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ImportFailure(str(path), "TOML", str(error)) from error
    actions = {name.lstrip("-"): a for a in parser._actions for name in a.option_strings}
    actions |= {a.dest: a for a in parser._actions if not a.option_strings}
    found: dict[str, Any] = {}
    for key, value in content.items():
        action = actions.get(key)
        if action is None or action.dest in _NOT_KEPT:
            known = ", ".join(
                sorted(k for k, a in actions.items() if len(k) > 1 and a.dest not in _NOT_KEPT)
            )
            raise ImportFailure(str(path), key, f"no option of check (known: {known})")
        several = action.nargs in ("+", "*") or type(action).__name__ == "_AppendAction"
        values = value if isinstance(value, list) else [value]
        kind = action.type if callable(action.type) else str
        try:
            made = [kind(str(each)) for each in values]
        except ValueError as error:
            raise ImportFailure(str(path), key, f"{value!r} is none of its values") from error
        if action.choices and any(each not in action.choices for each in made):
            said = ", ".join(map(str, action.choices))
            raise ImportFailure(str(path), key, f"{value!r} is none of {said}")
        if not several and len(made) != 1:
            raise ImportFailure(str(path), key, "takes one value")
        found[action.dest] = made if several else made[0]
    return found


def write_settings(
    parser: ArgumentParser, options: Mapping[str, Any], defaults: Mapping[str, Any], path: Path
) -> None:
    """Keep the options that are not at their default, so that `check` alone does the same."""
    lines = [f"[{TABLE}]"]
    for action in parser._actions:
        value = options.get(action.dest)
        if action.dest in _NOT_KEPT or value in (None, defaults.get(action.dest), [], ""):
            continue
        name = action.option_strings[-1].lstrip("-") if action.option_strings else action.dest
        lines.append(f"{name} = {_toml(value)}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_toml, value))}]"
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
