"""The keys of a study file."""

from pydantic import BaseModel

from docs.generate import schemas
from docs.generate.markdown import folded
from imports.study_file.alert_parts import AlertsPart, BudgetPart
from imports.study_file.asked_parts import (
    FreeTextPart,
    QuestionnairePart,
    QuestionnaireQuestion,
)
from imports.study_file.blocks import BlockPart
from imports.study_file.item_columns import ItemColumns
from imports.study_file.parts import (
    BatchPart,
    ComprehensionPart,
    ConclusionPart,
    ConsentPart,
    EthicsPart,
    JudgePart,
    PayPart,
    PickedPart,
    RoundPart,
    StopPart,
)
from imports.study_file.recruitment_parts import ParametersPart, RecruitmentPart
from imports.study_file.schema import StudyFile

PARTS: list[tuple[str, type[BaseModel]]] = [
    ("At the top", StudyFile),
    ("`columns`", ItemColumns),
    ("`blocks[]`", BlockPart),
    ("`consent`", ConsentPart),
    ("`ethics`", EthicsPart),
    ("`comprehension[]`", ComprehensionPart),
    ("`free_text`", FreeTextPart),
    ("`questionnaire`", QuestionnairePart),
    ("`questionnaire.questions[]`", QuestionnaireQuestion),
    ("`rounds[]`", RoundPart),
    ("`rounds[].batch`", BatchPart),
    ("`rounds[].pay`", PayPart),
    ("`recruitment`", RecruitmentPart),
    ("`recruitment.parameters`", ParametersPart),
    ("`judges[]`, where it is not a name alone", JudgePart),
    ("`conclusions[]`", ConclusionPart),
    ("`stop`", StopPart),
    ("`budget`", BudgetPart),
    ("`alerts`", AlertsPart),
    ("`picked[]`", PickedPart),
]


def tables() -> str:
    """A folded table for each part of the file."""
    return "\n\n".join(folded(title, schemas.fields(part)) for title, part in PARTS)
