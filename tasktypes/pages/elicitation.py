"""How a kind of question elicits answers, in the categories of the Human Evaluation Datasheet.

Shimorina and Belz (2022), "The Human Evaluation Datasheet", questions 4.2.2, 4.3.5 and 4.3.8.
"""

from dataclasses import dataclass
from typing import Literal

Instrument = Literal["Multiple-choice options", "Check-boxes", "Slider", "N/A", "Other"]
Form = Literal[
    "(dis)agreement with quality statement",
    "direct quality estimation",
    "relative quality estimation (including ranking)",
    "evaluation through post-editing/annotation",
    "output classification or labelling",
    "task performance measurements",
]


@dataclass(frozen=True)
class Elicitation:
    """instrument: how values to choose from are shown. form: what people do with a text. relative:
    several systems' outputs are seen at once. task: what is done where there is no instrument."""

    form: Form
    instrument: Instrument = "Multiple-choice options"
    relative: bool = False
    task: str = ""
