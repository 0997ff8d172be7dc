"""A judge that counts words."""

import re

from pydantic import Field

from judges.backends.contract import Reply
from judges.methods.asks import Ask, AskOutcome
from judges.methods.contract import Method
from tasktypes.schemas import Schema
from tasktypes.slider import SLIDER


class WordShareParameters(Schema):
    """shortest: the letters that a word must have to count."""

    shortest: int = Field(default=4, ge=1, le=50)


class WordShare(Method[WordShareParameters]):
    """The share of a summary's words that its document has."""

    name = "word-share"
    title = "Share of words"
    description = "The share of a summary's words that its document has, on the study's scale."
    serves = (SLIDER,)
    opens_model = False
    Parameters = WordShareParameters

    def answer(self, ask: Ask) -> AskOutcome:
        payload = SLIDER.Payload.model_validate(ask.payload)
        words = self._words(" ".join(payload.sentences))
        if not words:
            raise ValueError("the summary has no words that count")
        share = len(words & self._words(payload.document)) / len(words)
        value = payload.low + share * (payload.high - payload.low)
        return AskOutcome(ask, (Reply(text=f"{share:.3f}"),), SLIDER.Answer(value=value))

    def _words(self, text: str) -> set[str]:
        return {w for w in re.findall(r"\w+", text.lower()) if len(w) >= self.parameters.shortest}
