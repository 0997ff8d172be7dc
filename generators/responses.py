"""Responses to queries, which a chat model writes from the passages that come with them.

The first step of "All Claims Are Equal, but Some Claims Are More Equal Than Others" (arXiv
2510.07083, section 3.2), with its two kinds of queries; the prompt is our own.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generators.generator import GeneratedText, GeneratorParameters, TextGenerator
from generators.written_texts import written_text
from judges.methods.asks import Ask, Cost
from judges.methods.conversation import Conversation, PlannedStep, Step
from tasktypes.contract import TaskType
from tasktypes.machines.prompts import Slot
from tasktypes.schemas import Schema
from tasktypes.texts.material import Source, is_known
from tasktypes.texts.surroundings import SLOTS as SURROUNDINGS
from tasktypes.texts.surroundings import Surroundings, shown

# The own column of a source that says of which kind its query is, and what a response to each is.
QUERY_KIND = "query_kind"
FORMS: Mapping[str, str] = {
    "open-ended": (
        "The query is open: tell, in one or two paragraphs, what a reader who asks it needs to "
        "know, the most important first."
    ),
    "single-answer": (
        "The query has one answer: give it in the first sentence, and then, in a few sentences, "
        "what a reader needs to understand it."
    ),
}
_ANY_FORM = (
    "Begin with what answers the query, and add in one paragraph at most what belongs to it."
)
_RESPONSE_TOKENS = 250
PROMPT = (Path(__file__).parent / "prompts" / "response.txt").read_text(encoding="utf-8")


class Query(Surroundings):
    """A query with what it is to be answered from."""

    kind: str = ""

    @property
    def form(self) -> str:
        """What a response to a query of this kind is."""
        return FORMS.get(self.kind, _ANY_FORM)

    @classmethod
    def of(cls, source: Source, kind: str) -> "Query":
        return cls(**shown(source, ("query", "document", "passages")), kind=kind)


SLOTS = (
    *SURROUNDINGS,
    Slot("form", "what a response to a query of this kind is", lambda query: query.form),
    Slot("kind", "the kind of query, where the source says it", lambda query: query.kind),
)


class Responder(TextGenerator[GeneratorParameters]):
    """Writes one response to each query."""

    name = "response"
    title = "Responses"
    description = (
        "Has the model answer a query from the passages or the document of its source, without "
        "citations; as an overview or with one answer, where the source says of which kind it is."
    )
    Parameters = GeneratorParameters

    @classmethod
    def steps(
        cls, parameters: GeneratorParameters, task_type: TaskType[Any, Any, Any]
    ) -> tuple[Step, ...]:
        return (Step("response", PROMPT, SLOTS, reply="text"),)

    def plan(self, ask: Ask) -> Cost:
        query = Query.model_validate(ask.raw_payload)
        text = self.prompts(ask.task_type).user_message("response", query)
        return self.expected(PlannedStep(text, reply_tokens=_RESPONSE_TOKENS))

    async def judge(self, ask: Ask, conversation: Conversation) -> Schema:
        query = Query.model_validate(ask.raw_payload)
        messages = self.messages(ask, "response", query)
        reply = await conversation.send(messages, step="response")
        text = written_text(conversation, reply, about=query, thing="response")
        return GeneratedText(text=text)


def lacks(source: Source) -> str:
    """What a source lacks to be answered, as in "sources …"; empty where nothing."""
    if not source.query:
        return "without a query"
    if not (source.passages or is_known(source.document)):
        return "with a query but without passages or a document"
    return ""
