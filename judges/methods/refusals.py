"""Recognise a refusal that a model writes as prose, where no answer could be read in its reply.

Only openings that promise nothing else count; docs/judges.md lists them. Everything that is not
recognised stays a parse failure, so that refusals are rather too few than too many.
"""

import re
import unicodedata

from judges.backends.contract import Failure, Reply

_APOSTROPHES = re.compile("['’‘ʼ‛`´′]")
_BEFORE_WORDS = re.compile(r"^[\W_]+")
_APOLOGY = r"(?:(?:i ?a?m )?(?:(?:very|so|really|truly) )?sorry|i apologi[sz]e|my apologies)"
_AI = r"as an (?:ai|artificial intelligence)(?: [a-z]+){0,3},? "
_UNABLE = r"i (?:cant|can ?not|wont|will not|a?m (?:unable|not able) to)|im (?:unable|not able) to"
_HELP = (
    r"(?:help(?! but)|assist|comply|participate|engage|fulfill? (?:this|that|your)|"
    r"do (?:this|that)\b|(?:continue|proceed) with (?:this|that))"
)
_ANSWER = r"(?:provide|answer|respond|discuss|generate|create|rate|judge|evaluate)"
_DECLINE = r"i (?:must|have to|will have to|need to)(?: (?:respectfully|politely))? decline"
_OPENING = re.compile(
    rf"(?:{_APOLOGY}[ ,.;:!—–-]*(?:but )?(?:{_AI})?(?:{_UNABLE}) (?:{_HELP}|{_ANSWER})"
    rf"|(?:{_AI})?(?:{_UNABLE}) {_HELP}"
    rf"|(?:{_APOLOGY}[ ,.;:!—–-]*(?:but )?)?{_DECLINE})\b"
)


def is_refusal(text: str) -> bool:
    """Whether a text opens as a refusal, whatever its apostrophes, case and emphasis."""
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text[:300])).casefold()
    words = _BEFORE_WORDS.sub("", " ".join(plain.replace("*", "").replace("_", "").split()))
    return _OPENING.match(words) is not None


def unreadable(reply: Reply, reason: str) -> Reply:
    """The reply as a failure: a refusal where it opens as one, otherwise a parse failure.

    reason: why no answer could be read in it.
    """
    if is_refusal(reply.text_without_reasoning):
        return reply.failed(Failure.REFUSAL, f"The model refused in words: {reason}.")
    return reply.failed(Failure.PARSE_FAILURE, reason)
