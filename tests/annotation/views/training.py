"""A comprehension check, and units made examples or training."""

from annotation.models import (
    Unit,
)

REASONS = "Both sentences say that traffic went on."
CHECK = [
    {
        "question": "Which sentences do you choose?",
        "options": ["Every one that should cite the passage", "The longest one"],
        "right": "Every one that should cite the passage",
        "explanation": "The passage may be needed twice.",
    },
    {
        "question": "What if none can cite it?",
        "options": ["I choose any", "I choose “None of these sentences”"],
        "right": "I choose “None of these sentences”",
        "explanation": "None is an answer, too.",
    },
]


def become(unit: Unit, role: Unit.Role) -> Unit:
    unit.role, unit.reasons = role, REASONS
    unit.save()
    unit.places.all().delete()
    return unit
