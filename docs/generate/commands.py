"""The commands with their arguments, from argparse."""

from argparse import Action, ArgumentParser
from collections.abc import Iterator

from django.core.management import get_commands, load_command_class
from django.core.management.base import DjangoHelpFormatter

from docs.generate.markdown import block, code, codes, table
from tasktypes.schemas import sentence

ROOMS = ("annotation", "judges", "results", "desk")
LINE = 90
# What every command of Django takes.
EVERYWHERE = frozenset(DjangoHelpFormatter.show_last) | {"--help", "--force-color"}


def names() -> list[str]:
    """Our commands, in the order of the alphabet."""
    return sorted(name for name, room in get_commands().items() if room in ROOMS)


def sections() -> str:
    """One section for each command: what it does, how it is called, and its arguments."""
    return "\n\n".join(_section(name) for name in names())


def _section(name: str) -> str:
    command = load_command_class(get_commands()[name], name)
    parser = command.create_parser("manage.py", name)
    actions = list(_own(parser))
    rows = [[_name(action), _meaning(action)] for action in actions]
    parts = [f"## `{name}`", " ".join(command.help.split()), block("sh", _usage(name, actions))]
    return "\n\n".join([*parts, table(["argument", "meaning"], rows)] if rows else parts)


def _own(parser: ArgumentParser) -> Iterator[Action]:
    for action in parser._actions:
        if not EVERYWHERE & set(action.option_strings):
            yield action


def _usage(name: str, actions: list[Action]) -> str:
    words = ["manage.py", name, *(_in_usage(action) for action in actions)]
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) > LINE:
            lines.append(" " * 4)
        lines[-1] += f" {word}" if lines[-1].strip() else word
    return " \\\n".join(lines)


def _in_usage(action: Action) -> str:
    value = _value(action)
    if not action.option_strings:
        return value
    text = " ".join(filter(None, [action.option_strings[-1], value]))
    return text if action.required else f"[{text}]"


def _value(action: Action) -> str:
    """What stands for the argument's value, with `…` where there may be several."""
    if action.nargs == 0:
        return ""
    word = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices and len(list(action.choices)) <= 2:
        word = "|".join(map(str, action.choices))
    elif not action.metavar and action.dest in ("resamples", "seed", "limit", "replicates"):
        word = "N"
    several = {"*": f"[{word}…]", "+": f"{word}…", "?": f"[{word}]"}
    return several.get(str(action.nargs), word)


def _name(action: Action) -> str:
    return code(" ".join(filter(None, [*action.option_strings[-1:], _value(action)])))


def _meaning(action: Action) -> str:
    text = sentence((action.help or "") % {"default": action.default} if action.help else "")
    if action.choices and len(list(action.choices)) > 2:
        text = f"{text}: {codes(map(str, action.choices))}".removeprefix(": ")
    plain = action.default not in (None, False, "", []) and action.default != "==SUPPRESS=="
    if plain and action.nargs != 0 and "default" not in text.lower():
        text = f"{text} (default: {action.default})".strip()
    return text
