"""Parts of a study file: what is asked besides the questions, a text of one's own and a
questionnaire."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from imports.study_file.doors import drawn
from imports.study_file.parts import StudyFilePart

Wording = Annotated[str, Field(min_length=1, max_length=500)]
Option = Annotated[str, Field(min_length=1, max_length=200)]
MOST_QUESTIONS, MOST_OPTIONS = 20, 40
LONGEST_TEXT = 20_000


class FreeTextPart(StudyFilePart):
    """A text of one's own beside every answer. It is never scored."""

    question: Annotated[str, Field(max_length=500)] = drawn(
        "",
        "What is asked beside every answer",
        "Empty: nothing is asked",
    )
    """Such as "Why do you think so?"."""
    kind: Literal["reason", "correction", "post_edit"] = drawn(
        "reason",
        "Kind",
        choices=(
            ("reason", "a reason"),
            ("correction", "a correction"),
            ("post_edit", "the judged text, edited: people begin with the text itself"),
        ),
    )
    """`post_edit` begins as the judged text, where the question shows a single one."""
    asked_of: Literal["people", "judges", "both"] = drawn(
        "people",
        "Who is asked",
        "Judges that ask a chat model by our own prompt write it before their answer. Such a judge "
        "gets a new version",
        choices=(("people", "people"), ("judges", "judges"), ("both", "people and judges")),
    )
    """Judges of the method `zero_shot` with our own prompt write it where others give a reason."""
    required: bool = drawn(default=False, label="People must write something")
    """People cannot go on without it."""
    longest: Annotated[int, Field(ge=1, le=LONGEST_TEXT)] = drawn(2000, "Characters at most")
    """In characters; an edited text may be twice as long as the judged one in any case."""

    @model_validator(mode="after")
    def _says_what(self) -> Self:
        if not self.question and self.model_dump(exclude_defaults=True):
            raise ValueError("question: say what is asked")
        return self

    def as_stored(self) -> dict[str, Any]:
        """As `Study.free_text` holds it; empty where nothing is asked."""
        return self.model_dump(mode="json") if self.question else {}


class QuestionnaireQuestion(StudyFilePart):
    """A question about the person."""

    question: Wording = drawn(..., "Question")
    """What is asked."""
    kind: Literal["choice", "number", "text"] = drawn(
        "choice",
        "Answered by",
        choices=(("choice", "one of the choices"), ("number", "a number"), ("text", "a text")),
    )
    """A text may have 1,000 characters."""
    options: tuple[Option, ...] = drawn((), "Choices, one a line")
    """What there is to choose from."""
    asked: Literal["before", "after"] = drawn(
        "before",
        "When",
        choices=(("before", "before the first batch"), ("after", "after the last batch")),
    )
    """`before` the first batch or `after` the last one."""
    required: bool = drawn(default=False, label="It must be answered")
    """Questions about people are better left open to them."""

    @model_validator(mode="after")
    def _choices_fit(self) -> Self:
        if self.kind != "choice" and self.options:
            raise ValueError(f"options: a {self.kind} has none; leave them out")
        if self.kind == "choice" and not 2 <= len(self.options) <= MOST_OPTIONS:
            number = len(self.options)
            raise ValueError(f"options: a choice needs 2 to {MOST_OPTIONS}, not {number}")
        if len(set(self.options)) < len(self.options):
            raise ValueError("options: one of them occurs twice")
        return self


class QuestionnairePart(StudyFilePart):
    """A short questionnaire. What people tell in it is personal data."""

    purpose: Annotated[str, Field(max_length=1000)] = drawn(
        "", "What the questionnaire is for", "Shown on the consent page, with the questions"
    )
    """Why this is asked, as the consent page says it."""
    questions: tuple[QuestionnaireQuestion, ...] = drawn(
        (), "Questions about the person", f"At most {MOST_QUESTIONS}"
    )
    """What is asked, in this order."""

    @model_validator(mode="after")
    def _says_why(self) -> Self:
        if self.questions and not self.purpose:
            raise ValueError("purpose: say what the answers are for; the consent page shows it")
        if len(self.questions) > MOST_QUESTIONS:
            raise ValueError(f"questions: {len(self.questions)} are too many; ask {MOST_QUESTIONS}")
        wordings = [part.question for part in self.questions]
        if len(set(wordings)) < len(wordings):
            raise ValueError("questions: one of them occurs twice")
        return self

    def as_stored(self) -> dict[str, Any]:
        """As `Study.questionnaire` holds it; empty without questions."""
        return self.model_dump(mode="json") if self.questions else {}
