"""The fields of a study that people read, as entries of the table of its fields."""

from typing import Annotated, Literal

from django.conf import settings
from pydantic import Field

from imports.study_file.asked_parts import FreeTextPart, QuestionnairePart
from imports.study_file.blocks import BlockPart, SlugOrNone
from imports.study_file.doors import Door, study_field
from imports.study_file.parts import (
    ComprehensionPart,
    ConsentPart,
    EthicsPart,
    StudyFilePart,
    Text,
)
from tasktypes.registry import PUBLISHED_BLOCKS


class StudyTexts(StudyFilePart):
    """What a study is called, asks and says, in the order in which files name it."""

    slug: SlugOrNone = study_field(
        "",
        why_no_form="the study's address, which is part of links already sent",
        doors=Door.API | Door.BUNDLE,
        as_is=False,
    )
    """The name in addresses."""
    title: Annotated[str, Field(max_length=200)] = study_field(
        "", hint="Workers see it", place=1, form="texts", doors=Door.ALL
    )
    """The name in words."""
    language: str = study_field(
        "en",
        "Language of the workers’ pages",
        "The study’s own texts are not translated",
        choices=tuple((code, code) for code, _name in settings.LANGUAGES),
        place=7,
        form="introduction",
        doors=Door.API,
    )
    """Of the workers' pages; it translates no text of the study."""
    blocks: Annotated[tuple[BlockPart, ...], Field(min_length=1)] = study_field(
        tuple(BlockPart(task_type=kind.slug) for kind in PUBLISHED_BLOCKS),
        form="questions",
        stored=(),
        as_is=False,
    )
    """Met in this order; no two may have a facet of one name."""
    instructions: str = study_field(
        "",
        hint="Read first, and beside every question",
        rows=12,
        place=2,
        form="texts",
        doors=Door.EXPORTS,
        long=True,
    )
    """What workers read first."""
    text_form: Literal["plain", "markdown", "formulas"] = study_field(
        "plain",
        "How texts are shown",
        "Line breaks are kept in either case. Judges read the same characters",
        choices=(
            ("plain", "As plain text"),
            ("markdown", "As Markdown: lists, tables, code and emphasis"),
            ("formulas", "As Markdown with formulas in LaTeX"),
        ),
        place=4,
        form="texts",
        doors=Door.ALL,
    )
    """`plain` letters, `markdown` (lists, tables, code, emphasis), or `formulas`: Markdown with
    formulas in LaTeX. Pages for people show it so; judges read the same letters."""
    parts_shown: Literal["one", "all"] = study_field(
        "one",
        "Questions with many parts",
        "For four or more claims, criteria, sentences or errors (on a phone three)",
        choices=(("one", "One part at a time"), ("all", "All parts on one page")),
        place=4,
        form="texts",
        doors=Door.ALL,
    )
    """`one` part at a time (claim, criterion, sentence or error) where a question has four or more,
    on a phone three, the others a list with their state; or `all` on one page. What is asked and
    stored is the same."""
    tips: tuple[Text, ...] = study_field(
        (),
        "Tips, one a line",
        "Shown with the worked examples",
        form="introduction",
        as_is=False,
        long=True,
    )
    """Sentences shown with the worked examples."""
    content_warning: str = study_field(
        "", hint="Shown before the consent. May stay empty", rows=3, form="texts", long=True
    )
    """Shown before consent."""
    debrief: str = study_field("", hint="Shown at the end", rows=7, form="texts", long=True)
    """Shown at the end, with the claims that were false."""
    comprehension: tuple[ComprehensionPart, ...] = study_field(
        (),
        "Questions about the instructions",
        "Asked before the first batch",
        form="introduction",
        as_is=False,
        long=True,
    )
    """Questions asked before the first batch."""
    comprehension_tries: Annotated[int, Field(ge=1, le=10)] = study_field(
        2, "Tries at these questions", "", form="introduction"
    )
    """Tries that a worker has."""
    free_text: FreeTextPart = study_field(
        FreeTextPart(), form="introduction", doors=Door.ALL, place=8, as_is=False, long=True
    )
    """A text that is asked for beside every answer: why, a correction, or the judged text edited.
    It is shown beside the answer, and never scored. What people write is personal data."""
    questionnaire: QuestionnairePart = study_field(
        QuestionnairePart(), form="introduction", doors=Door.ALL, place=8, as_is=False, long=True
    )
    """A few questions to people, before their first batch or after their last."""
    consent: ConsentPart | None = study_field(
        None, form="texts", stored=("consent_text", "consent_version"), as_is=False, long=True
    )
    """The consent form; the text alone may stand here."""
    ethics: EthicsPart = study_field(EthicsPart(), form="ethics", as_is=False)
    """What the consent page names; needed to open."""
    verdicts: dict[str, str] = study_field(
        {},
        "Verdicts, each as label: definition",
        "Workers see them beside the verdict",
        form="method",
        doors=Door.EXPORTS,
    )
    """A definition for each label; quote labels."""
