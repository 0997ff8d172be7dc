"""From the feedback that Prometheus was trained to write to the verdict at its end."""

import re

_VERDICT = re.compile(r"\[RESULT\]\s*[(\[]?\s*(?P<verdict>[1-5AB])\s*[)\]]?\s*\.?\s*\Z")
MARK = "[RESULT]"


class Unreadable(ValueError):
    """A reply without the verdict at its end, and why."""


def read_verdict(reply: str, offered: str) -> tuple[str, str]:
    """(feedback, verdict): what stands before and after the one [RESULT].

    offered: the characters that a verdict may be, "12345" or "AB". Nothing else of the reply is
    looked at: a number within the feedback, or one that repeats the prompt, is no score.
    Unreadable where there is no [RESULT], more than one, or something else after it.
    """
    if not reply.strip():
        raise Unreadable("the reply is empty")
    marks = reply.count(MARK)
    if marks != 1:
        raise Unreadable(f"the reply has {marks or 'no'} {MARK}")
    found = _VERDICT.search(reply)
    if found is None or found["verdict"] not in offered:
        said = reply.partition(MARK)[2].strip()
        raise Unreadable(f"{said[:80]!r} after {MARK} is none of {', '.join(offered)}")
    feedback = reply[: found.start()].strip()
    if not feedback:
        raise Unreadable("there is no feedback before the verdict")
    return feedback, found["verdict"]
