"""What names of columns and raters say: customary names, and the words that tell people, judges and
columns of neither.

Names are compared by whole words: an expert called `Egpta` is not taken for GPT.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from ipaddress import ip_address

Customary = Mapping[str, tuple[str, ...]]

# In a table of outputs.
OUTPUTS: Customary = {
    "source": ("source", "source_id", "doc_id", "document_id", "claim_id", "query_id"),
    "item": ("item", "item_id"),
    "system": ("system", "generator", "model"),
    "text": ("text", "output", "summary", "response", "explanation"),
    "document": ("document", "article"),
    "claim": ("claim",),
    "query": ("query", "prompt"),
    "verdict": ("verdict",),
    "passages": ("passages", "evidence"),
    "reference": ("reference",),
}
# In a table of ratings that is imported.
RATINGS: Customary = {
    "rater": ("rater", "worker"),
    "item": ("item",),
    "system": ("system", "generator"),
    "rating": ("rating",),
    "criterion": ("criterion",),
    "kind": ("kind",),
}
_RATER = (
    *("rater", "annotator", "worker", "coder", "labeler", "labeller", "reviewer", "participant"),
    *("observer", "respondent", "assessor", "expert", "crowdworker", "turker", "user"),
    *("evaluator", "grader", "judge"),
)
# In a table of labels that is checked, however the names are written.
LABELS: Customary = {
    "unit": (
        *("unit", "unit_id", "item", "item_id", "id", "example", "example_id", "sample"),
        *("sample_id", "text_id", "uid", "question_id", "task_id", "record_id", "key", "index"),
        "idx",
    ),
    "source": (
        *("source", "source_id", "cluster", "doc", "doc_id", "document", "document_id"),
        *("article_id", "conversation_id"),
    ),
    "system": ("system", "system_id", "generator"),
    "rater": tuple(name for rater in _RATER for name in (rater, f"{rater}_id", f"{rater}id")),
    "label": (
        *("label", "value", "rating", "score", "answer", "annotation", "vote", "verdict"),
        *("response", "grade", "judgment", "judgement", "category", "decision"),
    ),
    "kind": ("kind", "rater_kind", "rater_type"),
}
MODEL = ("model", "model_id", "model_name")  # of systems, or a judge's own


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


PERSON = _words(
    "human humans person people annotator ann rater coder labeler labeller expert crowd worker",
    "crowdworker turker reviewer participant respondent observer assessor",
)
# These name a machine, whatever stands beside them.
MACHINE = _words(
    "judge llm llms lm ai model machine bot auto automatic automated nli unieval prometheus",
    "gpt chatgpt claude gemini gemma llama mistral mixtral qwen deepseek vicuna grok",
) | {"command r", "o 1 mini", "o 3 mini", "o 4 mini"}
# They say of a rater that it is none of people.
_AUTOMATIC = _words("auto automatic automated")
# These name what a machine gives, unless a person is named with them (human_score, expert_eval).
OUTPUT = _words(
    "verdict prediction predictions predicted pred preds eval evaluator grader score scorer",
    "classifier detector",
)
# It names something: a worker, a task, a system, a question.
IDENTITY = _words(
    "id ids uid key index idx name names hash hit assignment system sys generator split fold",
    "batch question q",
)
# It measures, counts or dates.
MEASURED = _words(
    "time seconds secs duration minutes date timestamp days start end count num number total",
    "length tokens words cost price latency",
)
# It tells of a person, of a worker (approval by Mechanical Turk, too), of a run or of a text.
CIRCUMSTANCE = _words(
    "age gender sex country nationality language education native experience",
    "approval lifetime expertise group type kind role status finished progress version is has",
    "written generated",
)
# It is said beside a label.
REMARK = _words(
    "comment comments reason reasons rationale explanation feedback note notes remark confidence"
)
# It is made of several people's labels, or stands for all of them.
SUMMARY = _words(
    "majority consensus mean average avg median sd std variance agreement aggregated gold truth",
    "final adjudicated",
)
# A column with one of these words holds nobody's labels.
NEITHER = IDENTITY | MEASURED | CIRCUMSTANCE | REMARK | SUMMARY
# Columns of one rater on several of these are several questions, not several people.
CRITERION = _words(
    "coherence consistency fluency relevance accuracy correctness faithfulness factuality grammar",
    "grammaticality helpfulness harmlessness safety toxicity usefulness utility quality overall",
    "informativeness adequacy meaning simplicity clarity completeness conciseness style tone",
    "readability support generality specificity coverage sentiment creativity depth empathy",
)
# Ids of somebody or something else than what is labelled.
NO_UNIT = PERSON | _words("user assignment response session submission batch run system")
# Mechanical Turk's names for what a worker saw and answered.
TURK = ("Input.", "Answer.")
# Columns that say which of several questions a row answers.
ASPECT = ("aspect", "criterion", "criteria", "dimension", "facet", "metric", "question_type")
# A name of more words is a question that was asked.
MOST_WORDS = 6
# Ids of people at Prolific.
PROLIFIC = re.compile(r"[0-9a-f]{24}")
# What identifies somebody, beside ids and names of people.
PERSONAL = frozenset(
    (
        *("email", "emails", "e mail", "mail address", "ip", "ipaddress", "street", "home address"),
        *("postal address", "post code", "postcode", "zip code", "zipcode", "latitude"),
        *("longitude", "user agent", "useragent", "browser", "cookie", "fingerprint", "phone"),
        *("telephone", "first name", "firstname", "last name", "lastname", "full name"),
        *("fullname", "family name", "surname", "user name", "username", "nickname", "initials"),
        *("date of birth", "birth date", "birthdate", "birthday", "dob", "assignment id"),
        *("assignmentid", "prolific id", "prolific pid", "mturk id", "m turk id", "orcid"),
    )
)
_OF_PEOPLE = (PERSON - _words("human humans expert crowd")) | {"user"}
_NAMING = _words("id ids uid uuid pid key hash name code")
# A form asks for them with these words: "What is your name?"
_ASKED_FOR = frozenset(f"your {each}" for each in (*PERSONAL, "name", "address", "id"))
_ID = re.compile(r"(?=.*\d)(?:[0-9a-f]{12,40}|[0-9A-F]{12,40}|A[0-9A-Z]{11,14})")
# What is an e-mail address, what a browser calls itself, or a worker's id of Mechanical Turk.
_IDENTIFYING = (
    re.compile(r"[^\s@]{1,64}@[^\s@]{1,250}\.[a-zA-Z]{2,24}"),
    re.compile(r"(?:Mozilla|Opera)/\d.*", re.DOTALL),
    re.compile(r"A(?=.*\d)(?=.*[A-Z])[0-9A-Z]{11,14}"),
)
# Such a share of a column's cells makes it one of them; longer ones are texts.
IDENTIFYING_SHARE, LONGEST_IDENTIFYING = 0.2, 500


class Role(StrEnum):
    """Whose labels a name says that a column holds, or who a rater of that name is."""

    PERSON = "a person"
    JUDGE = "a judge"
    EITHER = "named as a person and as a machine"
    NEITHER = "nobody"
    UNTOLD = "not told"


def customary(
    names: Iterable[str], wanted: Iterable[str], written: Callable[[str], str] = str
) -> str:
    """The column with the first of the wanted names that some column has; empty where none has
    one. written: how names of columns are written to be compared."""
    by_name = {written(name): name for name in reversed([*names])}
    return next((by_name[name] for name in wanted if name in by_name), "")


def column_role(name: str) -> Role:
    """The one rule by which names of columns tell people and judges."""
    asked = "?" in name or len(name.split()) > MOST_WORDS
    if asked or name.startswith(TURK) or words_of(name) & NEITHER:
        return Role.NEITHER
    return rater_role(name)


def rater_role(name: str) -> Role:
    """The same of a rater in a long table, who is somebody."""
    words = words_of(name)
    is_person, is_machine = bool(words & PERSON), _has(name, MACHINE)
    if is_person and not words & _AUTOMATIC:
        return Role.EITHER if is_machine else Role.PERSON
    return Role.JUDGE if is_machine or words & OUTPUT else Role.UNTOLD


def personal(name: str, sample: Iterable[str] = ()) -> bool:
    """Whether a column identifies people, by its name or by cells of it: worker ids, names,
    addresses, browsers. Such columns are not kept."""
    return _names_person(name) or _are_identifying(sample)


def holds_accounts(name: str, sample: Iterable[str] = ()) -> bool:
    """Whether raters in a column are told by what identifies them elsewhere: by their account with
    a crowdworking service, or by an e-mail address."""
    words = words_of(name)
    is_account = bool(words & {"workerid", "turkerid"}) or {"worker", "id"} <= words
    cells = [cell for cell in sample if cell]
    of_prolific = bool(cells) and all(map(PROLIFIC.fullmatch, cells))
    return is_account or of_prolific or _has(name, PERSONAL) or _are_identifying(cells)


@lru_cache(maxsize=4096)
def _names_person(name: str) -> bool:
    """What a researcher put in (`Input.email`) is a text, not somebody's address."""
    words = words_of(name)
    if name.startswith(TURK[0]):
        return False
    if "?" in name or len(name.split()) > MOST_WORDS or "your" in words:
        return _has(name, _ASKED_FOR)
    told = plain(name).removeprefix("answer_")
    return (
        told in ("address", *_OF_PEOPLE - {"user"})
        or any(word.removesuffix("id") in _OF_PEOPLE and word.endswith("id") for word in words)
        or bool(words & _OF_PEOPLE and words & _NAMING)
        or _has(name, PERSONAL)
    )


def _are_identifying(sample: Iterable[str]) -> bool:
    cells = [cell.strip() for cell in sample if cell.strip()]
    found = sum(map(identifies_somebody, cells))
    return found > 0 and found >= IDENTIFYING_SHARE * len(cells)


def identifies_somebody(cell: str) -> bool:
    """Whether a cell is an address, a browser or the id of a crowdworker."""
    if len(cell) > LONGEST_IDENTIFYING:
        return False
    return any(each.fullmatch(cell) for each in _IDENTIFYING) or _is_machine_address(cell)


def _is_machine_address(cell: str) -> bool:
    try:
        ip_address(cell)
    except ValueError:
        return False
    return True


def may_be_unit(name: str) -> bool:
    """Whether a column's name ends in id, or it is one of sources (`doc`), which may be units."""
    ends = plain(name).endswith("id") or plain(name) in LABELS["source"]
    return ends and not {word.removesuffix("id") for word in words_of(name)} & NO_UNIT


def rest_of(name: str) -> frozenset[str]:
    """The words of a name that tell neither a role nor a label, without numbers: of
    `coherence_human_1` coherence."""
    return frozenset(_split(name)) - PERSON - MACHINE - OUTPUT - {*LABELS["label"]} - _numbers(name)


def plain(name: str) -> str:
    """`WorkerId` and `worker id` are `worker_id`."""
    return "_".join(_split(name))


@lru_cache(maxsize=65_536)
def words_of(name: str) -> frozenset[str]:
    """The words of a name, split where letters change their case, and not (`DeepSeek`); an id has
    none."""
    if _ID.fullmatch(name):
        return frozenset()
    return frozenset((*_split(name), *_split(name.casefold())))


def _has(name: str, phrases: frozenset[str]) -> bool:
    texts = [f" {' '.join(_split(each))} " for each in (name, name.casefold())]
    return any(f" {phrase} " in text for phrase in phrases for text in texts)


def _split(name: str) -> list[str]:
    """Runs of letters and of digits; `HITId` is two words."""
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+", name)
    return [word.casefold() for word in found]


def _numbers(name: str) -> frozenset[str]:
    return frozenset(word for word in _split(name) if word.isdigit())
