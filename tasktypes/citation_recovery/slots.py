"""What prompts can show of a question, and the forms of reply that they may ask for."""

from tasktypes.citation_recovery.schema import Answer, Payload
from tasktypes.machines.prompts import Slot, entry, in_lines, labelled, one_line, setting
from tasktypes.machines.replies import ReplyError
from tasktypes.machines.reply_forms import ReplyForm, as_numbers, numbers_in
from tasktypes.texts.surroundings import passages_text


def _sentences(payload: Payload, mark: str, start: int = 0) -> str:
    return "\n".join(entry(f"{s.number + start}{mark}", s.text) for s in payload.sentences)


def _form(name: str, start: int) -> ReplyForm:
    """Numbers with commas between them, counted from `start`; -1 for none."""

    def read(payload: Payload, reply: str) -> Answer:
        try:
            numbers = numbers_in(reply)
        except ValueError as error:
            raise ReplyError(str(error)) from error
        for number in numbers:
            if number - start not in payload.numbers:
                raise ReplyError(f"there is no sentence {number} in this question")
        return Answer(sentences=tuple(number - start for number in numbers))

    def write(payload: Payload, answer: Answer) -> str:
        return as_numbers(tuple(number + start for number in answer.sentences))

    return ReplyForm(name, f"numbers such as `0,2`, counted from {start}; `-1`: none", read, write)


REPLY_FORMS = (_form("indices", 0), _form("indices_from_1", 1))

SLOTS: tuple[Slot, ...] = (
    Slot(
        "material",
        "claim and verdict",
        lambda payload: labelled(Claim=payload.claim, Verdict=payload.verdict),
    ),
    Slot("claim", "the claim", lambda payload: in_lines(payload.claim)),
    Slot("verdict", "the verdict on the claim", lambda payload: one_line(payload.verdict)),
    Slot(
        "passages",
        "all passages, a line `[number] text` each, with `(selected)` after some numbers",
        lambda payload: passages_text(payload.passages, " (selected)"),
    ),
    setting("index", "the number of the passage in question", lambda payload: f"{payload.passage}"),
    Slot(
        "passage",
        "the passage in question",
        lambda payload: in_lines(payload.passage_in_question.text),
    ),
    Slot(
        "sentences",
        "the sentences, a line `0: text` each",
        lambda payload: _sentences(payload, ":"),
    ),
    Slot(
        "sentences_from_0",
        "the sentences, a line `0. text` each",
        lambda payload: _sentences(payload, "."),
    ),
    Slot(
        "sentences_from_1",
        "the sentences, a line `1. text` each, for replies in the form `indices_from_1`",
        lambda payload: _sentences(payload, ".", 1),
    ),
)
