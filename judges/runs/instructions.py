"""What everybody is told who answers in a study, people and judges alike."""

from annotation.models import Study
from tasktypes.prompts import one_line


def told_in(study: Study) -> str:
    """The study's instructions and what its verdicts mean, as people have them beside every
    question; empty where the study says neither."""
    parts = []
    if study.instructions.strip():
        parts.append(f"Instructions to everybody who answers:\n\n{study.instructions.strip()}")
    if study.verdicts:
        meanings = (f"- {label}: {one_line(text)}" for label, text in study.verdicts.items())
        parts.append("\n".join(("What the verdicts mean:", *meanings)))
    return "\n\n".join(parts)
