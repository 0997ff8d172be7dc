"""Every kind of question that Jurybox knows: one line each."""

from typing import Any

from tasktypes.actionability import ACTIONABILITY
from tasktypes.citation_recovery import CITATION_RECOVERY
from tasktypes.contract import TaskType
from tasktypes.importance import IMPORTANCE
from tasktypes.likert import LIKERT
from tasktypes.pairwise import PAIRWISE
from tasktypes.ranking import RANKING
from tasktypes.slider import SLIDER

TASK_TYPES: tuple[TaskType[Any, Any, Any], ...] = (
    CITATION_RECOVERY,
    SLIDER,
    LIKERT,
    RANKING,
    PAIRWISE,
    ACTIONABILITY,
    IMPORTANCE,
)

# The blocks of a file of records that names none: the published study's.
PUBLISHED_BLOCKS: tuple[TaskType[Any, Any, Any], ...] = (CITATION_RECOVERY, SLIDER)

_BY_SLUG = {task_type.slug: task_type for task_type in TASK_TYPES}


def task_type(slug: str) -> TaskType[Any, Any, Any]:
    """The task type of that name; KeyError with the known names where there is none."""
    try:
        return _BY_SLUG[slug]
    except KeyError:
        slugs = ", ".join(_BY_SLUG)
        raise KeyError(f"no task type {slug!r} (known: {slugs})") from None
