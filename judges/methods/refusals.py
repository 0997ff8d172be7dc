"""Recognise a refusal that a model writes as prose, where no answer could be read in its reply.

Only openings that promise nothing else count; docs/judges.md says which. Everything that is not
recognised stays a parse failure, so that refusals are rather too few than too many.
"""

import re
import unicodedata

from judges.backends.contract import Failure, Reply

_APOSTROPHES = re.compile("['’‘ʼ‛`´′]")
_BEFORE_WORDS = re.compile(r"^[\W_]+")
_APOLOGY = (
    r"(?:(?:i ?a?m )?(?:(?:very|so|really|truly) )?sorry|i apologi[sz]e|my apologies|"
    r"unfortunately|regrettably)"
)
_AI = r"as an (?:ai|artificial intelligence)(?: [a-z]+){0,3},? "
_UNABLE = r"i (?:cant|can ?not|wont|will not|a?m (?:unable|not able) to)|im (?:unable|not able) to"
_HELP = (
    r"(?:help(?! but)|assist|comply|participate|engage|fulfill? (?:this|that|your)|"
    r"do (?:this|that)\b|(?:continue|proceed) with (?:this|that))"
)
_ANSWER = r"(?:provide|answer|respond|discuss|generate|create|rate|judge|evaluate)"
_DECLINE = r"i (?:must|have to|will have to|need to)(?: (?:respectfully|politely))? decline"
_THIS = (
    r"(?:rate|judge|evaluate|assess|score|grade) (?:this|that|it|these|any|the (?:text|content))"
)
_STOPS = r"[ ,.;:!、。—–-]*"
_OPENING = re.compile(
    rf"(?:{_APOLOGY}{_STOPS}(?:but )?(?:{_AI})?(?:{_UNABLE}) (?:{_HELP}|{_ANSWER})"
    rf"|{_AI}(?:{_UNABLE}) {_ANSWER}"
    rf"|(?:{_AI})?(?:{_UNABLE}) (?:{_HELP}|{_THIS})"
    rf"|(?:{_APOLOGY}{_STOPS}(?:but )?)?{_DECLINE})\b"
)
# In other languages: an apology, what stands after it, and what is a refusal without an apology.
_ELSEWHERE = (
    (
        "(?:es )?tut mir (?:sehr )?leid|entschuldigung|leider",  # German
        r"(?:aber |doch )?(?:\w+ ){0,2}(?:kann|darf) (?:\w+ ){0,8}?(?:nicht|keine?n?)\b",
        r"ich (?:kann|werde) (?:\w+ ){0,5}?nicht (?:helfen|bewerten|beurteilen|beantworten)\b",
    ),
    (
        "(?:je suis (?:vraiment )?)?désolée?|je mexcuse|malheureusement",  # French
        r"(?:mais )?je ne (?:peux|puis|suis) pas\b",
        r"je ne (?:peux|puis) pas (?:vous |t)?(?:aider|répondre|évaluer|juger|fournir)\b",
    ),
    (
        "lo siento|lo lamento|lamentablemente|desafortunadamente",  # Spanish
        r"(?:pero )?no puedo\b",
        r"no puedo (?:ayudar(?:te|le)?|responder|evaluar|juzgar|proporcionar|cumplir)\b",
    ),
    (
        "desculpe|sinto muito|lamento|infelizmente",  # Portuguese
        r"(?:mas )?(?:eu )?não posso\b",
        r"não posso (?:ajudar|responder|avaliar|julgar|fornecer)\b",
    ),
    (
        "mi dispiace|purtroppo",  # Italian
        r"(?:ma )?non posso\b",
        r"non posso (?:aiutar(?:ti|la)|rispondere|valutare|giudicare|fornire)\b",
    ),
    (
        "het spijt me|helaas",  # Dutch
        r"(?:maar )?(?:\w+ ){0,2}(?:kan|mag) (?:\w+ ){0,8}?(?:niet|geen)\b",
        r"ik kan (?:\w+ ){0,5}?(?:niet|geen) (?:\w+ ){0,2}(?:helpen|beoordelen|beantwoorden)\b",
    ),
    (
        "(?:很|非常|十分)?(?:抱歉|对不起|對不起|遗憾|遺憾)",  # Chinese
        "(?:但)?[^.。]{0,20}?(?:无法|不能|無法)",
        "我(?:无法|不能|無法)(?:回答|提供|协助|協助|帮助|幫助|评价|評價|评估|評估)",
    ),
    (
        "(?:大変)?申し訳(?:ありません|ございません)|すみません",  # Japanese
        "[^。]{0,60}?(?:できません|できかねます|出来ません|お応えできません)",
        "その(?:依頼|リクエスト|質問)には(?:お)?(?:応え|答え)できません",
    ),
    (
        "죄송합니다|죄송하지만|미안합니다",  # Korean
        "[^.]{0,60}?(?:수 없습니다|어렵습니다)",
        "(?:그|이) 요청은 (?:들어|도와)드릴 수 없습니다",
    ),
)
_OPENINGS = (
    _OPENING,
    *(
        re.compile(f"(?:{apology}){_STOPS}(?:{after})|{alone}")
        for apology, after, alone in _ELSEWHERE
    ),
)


def is_refusal(text: str) -> bool:
    """Whether a text opens as a refusal, whatever its apostrophes, case and emphasis."""
    plain = _APOSTROPHES.sub("", unicodedata.normalize("NFKC", text[:300])).casefold()
    words = _BEFORE_WORDS.sub("", " ".join(plain.replace("*", "").replace("_", "").split()))
    return any(opening.match(words) for opening in _OPENINGS)


def unreadable(reply: Reply, reason: str) -> Reply:
    """The reply as a failure: a refusal where it opens as one, otherwise a parse failure.

    reason: why no answer could be read in it.
    """
    if is_refusal(reply.text_without_reasoning):
        return reply.failed(Failure.REFUSAL, f"The model refused in words: {reason}.")
    return reply.failed(Failure.PARSE_FAILURE, reason)
