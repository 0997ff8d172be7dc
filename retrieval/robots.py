"""robots.txt: what a server asks programs not to fetch (RFC 9309)."""

import re
import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

import httpx2

if TYPE_CHECKING:
    from protego import Protego

# How much of a robots.txt is read (the RFC asks for 500 kibibytes), how long it counts, and for how
# many servers one is held.
SIZE = 512_000
_SECONDS, _MOST = 24 * 3600.0, 200
_AGENT_LINE = re.compile(r"^[^\S\n]*user(?:-|[^\S\n]*)agent\b[^\S\n]*:?([^\n#]*)", re.I | re.M)


class Robots:
    """The rules of the servers that were asked for them.

    user_agent: its first word, up to a slash, is the name that rules are looked up by.
    """

    def __init__(self, user_agent: str) -> None:
        self.name = (re.split(r"[/\s(]", user_agent.strip()) or [""])[0].lower() or "*"
        self._rules: OrderedDict[str, tuple[float, Protego]] = OrderedDict()
        self._lock = threading.Lock()  # runs in several threads share them

    def add(self, address: httpx2.URL, text: str) -> None:
        """Take the robots.txt of the address's server; an empty one allows everything."""
        from protego import Protego

        rules = Protego.parse(self._shortened(text))
        with self._lock:
            self._rules[origin(address)] = (time.monotonic(), rules)
            while len(self._rules) > _MOST:
                self._rules.popitem(last=False)

    def allows(self, address: httpx2.URL) -> bool | None:
        """Whether the address may be fetched; None where the rules have to be fetched first."""
        with self._lock:
            when, rules = self._rules.get(origin(address), (0.0, None))
        if rules is None or time.monotonic() - when > _SECONDS:
            return None
        return rules.can_fetch(str(address), self.name)

    def _shortened(self, text: str) -> str:
        """Without the names of other programs, whose number would multiply that of the rules."""

        def renamed(line: "re.Match[str]") -> str:
            agent = line[1].strip().lower()
            is_ours = agent == "*" or agent.strip("*") in self.name
            return line[0] if is_ours else "User-agent: -other-"

        return _AGENT_LINE.sub(renamed, "\n".join(text.splitlines()))


def origin(address: httpx2.URL) -> str:
    """Scheme, host and port: what one robots.txt is about."""
    return str(address.copy_with(raw_path=b"/", fragment=None))
