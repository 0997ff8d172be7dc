"""`{% kept "name" value… %}…{% endkept %}`: part of a page that is drawn once per content."""

from collections.abc import Hashable
from typing import Any

from django.template import Context, Library, Node, NodeList, TemplateSyntaxError
from django.template.base import FilterExpression, Parser, Token
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = Library()

# How many parts are kept in a process, and of so many characters at most: some ten megabytes.
KEPT, LONGEST = 512, 20_000

_kept: dict[Hashable, SafeString] = {}


@register.tag
def kept(parser: Parser, token: Token) -> Node:
    """Draw the part once for each language and for all the values that are named, and keep it.

    The values are everything that the part shows, by what they hold rather than by a key, so
    that nothing kept is ever out of date or somebody else's. The part must hold nothing else:
    no address (it begins differently in a frame), no token, no form of a person.
    """
    _tag, *words = token.split_contents()
    if not words:
        raise TemplateSyntaxError("kept needs a name.")
    values = [parser.compile_filter(word) for word in words]
    nodes = parser.parse(("endkept",))
    parser.delete_first_token()
    return KeptNode(nodes, values)


class KeptNode(Node):
    """The part, and what it shows."""

    def __init__(self, nodelist: NodeList, values: list[FilterExpression]) -> None:
        self.nodelist = nodelist
        self.values = values

    def render(self, context: Context) -> SafeString:
        if context.template is not None and context.template.engine.debug:
            return self.nodelist.render(context)  # templates are being worked on
        shown = (_by_content(one.resolve(context)) for one in self.values)
        key = (get_language(), *shown)
        found = _kept.get(key)
        if found is None:
            found = self.nodelist.render(context)
            if len(found) <= LONGEST:
                _keep(key, found)
        return found


def _by_content(value: Any) -> Hashable:
    """Something that is equal where the value shows the same."""
    if isinstance(value, dict):
        return tuple(value.items())
    # What is marked as safe equals the same text that has to be escaped, and looks different.
    return (value, "safe") if isinstance(value, SafeString) else value


def _keep(key: Hashable, part: SafeString) -> None:
    # Other threads may do the same at this moment: nothing here minds what is gone already.
    while len(_kept) >= KEPT:
        _kept.pop(next(iter(_kept)), None)
    _kept[key] = part
