"""The parameters of the method."""

from typing import Literal

from pydantic import Field

from judges.backends.embedding import MINILM
from judges.methods.conversation import ChatParameters
from judges.methods.server_names import LocalModel, Revision
from retrieval.summary import Summary


class FinGrActParameters(ChatParameters):
    """How the rubric is filled in."""

    errors: Literal["listed", "own"] = "listed"
    """`listed` judges the explanation by the errors that the question lists; `own` also has the
    model find the claim's errors itself and keeps the score by those. A question about a score
    lists none, and is always answered by the model's own."""
    pages: Literal["retrieved", "none"] = "retrieved"
    """Whether links are retrieved."""
    exists: Literal["retrieved", "model"] = "retrieved"
    """What decides whether a link's page exists, the retrieval (and the model where that is
    unknown) or always the model."""
    page_tokens: int = Field(default=400, ge=20, le=20_000)
    """How much of a page the model reads."""
    page_max_age_days: int | None = Field(default=None, ge=0, le=36_500)
    """Older pages are retrieved again; left out, a page is retrieved once."""
    summary: Summary = "central"
    """Which of its sentences; see docs/retrieving-pages.md."""
    embedding: LocalModel = MINILM
    """The model for `central` and `relevant`; the revision is filled in when the judge is defined.
    """
    embedding_revision: Revision = ""
    """The model for `central` and `relevant`; the revision is filled in when the judge is defined.
    """

    @property
    def needs_embedding(self) -> bool:
        return self.pages == "retrieved" and self.summary != "beginning"
