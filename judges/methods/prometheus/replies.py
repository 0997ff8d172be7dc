"""Read the verdict at the end of the feedback that Prometheus writes."""

import re

MARK = "[RESULT]"
_MARK = re.compile(r"\[RESULT\]", re.I)
# Where there is no mark, a score may be named by this word. A rubric in the prompt has a number
# between the word and the colon.
_SCORE = re.compile(r"(?<!\w)score[*_]*\s*:", re.I)
# The word may also stand after the mark, as in `[RESULT] Score 4`.
_NAMED = re.compile(r"^[\s*_:]*score[*_]*\s*:?(?!\w)", re.I)
# What may surround a verdict. A point may only follow it.
_WRAPPING = " \t\r\n*_`\"'()[]"
_VERDICT = re.compile(r"(?P<verdict>\d+|[AB])(?:\.0+)?(?:\s*(?:/|out of)\s*5(?:\.0+)?)?", re.A)


class Unreadable(ValueError):
    """A reply without the verdict at its end, and why."""


def read_verdict(reply: str, offered: str, prompt: str = "") -> tuple[str, str]:
    """(feedback, verdict): what stands before and after the one [RESULT].

    offered: the characters that a verdict may be, "12345" or "AB". A number may be written as
    `4/5`, `4.0`, `**4**` or `Score 4`, and without [RESULT] as `Score: 4` at the end. The rest of
    the reply is not searched: a number in the feedback is no score. Unreadable where there is no
    verdict, more than one, or something else after it, and where the last line stands in the
    prompt.
    """
    if not reply.strip():
        raise Unreadable("the reply is empty")
    mark = _only_mark(reply, offered)
    rest = reply[mark.end() :].strip()
    named = _NAMED.sub("", rest) if offered.isdecimal() else rest
    match = _VERDICT.fullmatch(named.lstrip(_WRAPPING + ":").rstrip(_WRAPPING + "."))
    if match is None or match["verdict"] not in set(offered):
        options = ", ".join(offered)
        raise Unreadable(f"{rest[:80]!r} after {mark.group()} is none of {options}")
    if reply.strip().splitlines()[-1].strip() in prompt:
        raise Unreadable("the end of the reply repeats the prompt")
    feedback = reply[: mark.start()].strip()
    if not feedback:
        raise Unreadable("there is no feedback before the verdict")
    return feedback, match["verdict"]


def _only_mark(reply: str, offered: str) -> re.Match[str]:
    """The mark before the verdict."""
    marks = list(_MARK.finditer(reply))
    if not marks and offered.isdecimal():
        marks = list(_SCORE.finditer(reply))
    if len(marks) != 1:
        name = marks[0].group() if marks else MARK
        raise Unreadable(f"the reply has {len(marks) or 'no'} {name}")
    return marks[0]
