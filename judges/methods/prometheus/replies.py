"""Read the verdict at the end of the feedback that Prometheus writes."""

import re

_VERDICT = re.compile(r"\[RESULT\]\s*[(\[]?\s*(?P<verdict>[1-5AB])\s*[)\]]?\s*\.?\s*\Z")
MARK = "[RESULT]"


class Unreadable(ValueError):
    """A reply without the verdict at its end, and why."""


def read_verdict(reply: str, offered: str) -> tuple[str, str]:
    """(feedback, verdict): what stands before and after the one [RESULT].

    offered: the characters that a verdict may be, "12345" or "AB". The rest of the reply is not
    searched: a number in the feedback, or one that repeats the prompt, is no score.
    Unreadable where there is no [RESULT], more than one, or something else after it.
    """
    if not reply.strip():
        raise Unreadable("the reply is empty")
    marks = reply.count(MARK)
    if marks != 1:
        raise Unreadable(f"the reply has {marks or 'no'} {MARK}")
    match = _VERDICT.search(reply)
    if match is None or match["verdict"] not in offered:
        rest = reply.partition(MARK)[2].strip()
        raise Unreadable(f"{rest[:80]!r} after {MARK} is none of {', '.join(offered)}")
    feedback = reply[: match.start()].strip()
    if not feedback:
        raise Unreadable("there is no feedback before the verdict")
    return feedback, match["verdict"]
