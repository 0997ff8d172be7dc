"""The commands with their arguments, from argparse."""

from argparse import Action, ArgumentParser
from collections.abc import Iterator

from django.core.management import get_commands, load_command_class
from django.core.management.base import DjangoHelpFormatter

from docs.generate.markdown import block, code, codes, folded, table
from jurybox.packages import PACKAGES
from tasktypes.schemas import sentence

# What every command of Django takes.
EVERYWHERE = frozenset(DjangoHelpFormatter.show_last) | {"--help", "--force-color"}


def names() -> list[str]:
    """Our commands, in the order of the alphabet."""
    return sorted(name for name, room in get_commands().items() if room in PACKAGES)


def sections() -> str:
    """A section for each command: what it does, what it must be given, and every argument."""
    return "\n\n".join(_section(name) for name in names())


def _section(name: str) -> str:
    command = load_command_class(get_commands()[name], name)
    parser = command.create_parser("jurybox", name)
    actions = list(_own(parser))
    rows = [[_name(action), _meaning(action)] for action in actions]
    parts = [f"## `{name}`", " ".join(command.help.split()), block("sh", _usage(name, actions))]
    if rows:
        parts.append(folded("Arguments", table(["argument", "meaning"], rows)))
    return "\n\n".join(parts)


def _own(parser: ArgumentParser) -> Iterator[Action]:
    for action in parser._actions:
        if not EVERYWHERE & set(action.option_strings):
            yield action


def _usage(name: str, actions: list[Action]) -> str:
    """The arguments that the command needs; the table has the others."""
    needed = [_spelled(each) for each in actions if each.required or not each.option_strings]
    options = ["[options]"] if len(needed) < len(actions) else []
    return " ".join(["jurybox", name, *needed, *options])


def _spelled(action: Action) -> str:
    return " ".join(filter(None, [*action.option_strings[-1:], _value(action)]))


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
    return code(_spelled(action))


def _meaning(action: Action) -> str:
    text = sentence((action.help or "") % {"default": action.default} if action.help else "")
    if action.choices and len(list(action.choices)) > 2:
        text = f"{text}: {codes(map(str, action.choices))}".removeprefix(": ")
    plain = action.default not in (None, False, "", []) and action.default != "==SUPPRESS=="
    if plain and action.nargs != 0 and "default" not in text.lower():
        text = f"{text} (default: {action.default})".strip()
    return text
