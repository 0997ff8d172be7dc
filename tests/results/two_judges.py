"""Two judges beside three people over 200 units: one lets failures pass, one is even-handed.

Every unit is a source of its own. By the people's majority 139 units are fine (yes) and 61 fail
(no); of the people's 600 answers 407 are yes, a share of .678. The lenient judge says yes to 129
of the 139 and no to 39 of the 61: a true positive rate of .928, a true negative rate of .639, a
share of yes of .755. The balanced one has 113 of 139 and 49 of 61: .813, .803 and .625.
"""

from pathlib import Path

from annotation.models import Study
from tests.results.imported import import_raters

PEOPLE = ("ada", "bob", "cyd")
LENIENT, BALANCED = "lenient", "balanced"
# The majority's answer, whether one of the people dissents, the answers of the two judges, and
# how many units are so.
UNITS = (
    ("yes", False, "yes", "yes", 81),
    ("yes", False, "no", "yes", 5),
    ("yes", False, "yes", "no", 17),
    ("yes", False, "no", "no", 2),
    ("yes", True, "yes", "yes", 25),
    ("yes", True, "no", "yes", 2),
    ("yes", True, "yes", "no", 6),
    ("yes", True, "no", "no", 1),
    ("no", False, "no", "no", 19),
    ("no", False, "yes", "no", 9),
    ("no", False, "no", "yes", 5),
    ("no", False, "yes", "yes", 4),
    ("no", True, "no", "no", 13),
    ("no", True, "yes", "no", 8),
    ("no", True, "no", "yes", 2),
    ("no", True, "yes", "yes", 1),
)
OTHER = {"yes": "no", "no": "yes"}
TRUE_POSITIVE_RATE = {LENIENT: 129 / 139, BALANCED: 113 / 139}
TRUE_NEGATIVE_RATE = {LENIENT: 39 / 61, BALANCED: 49 / 61}
PRECISION = {LENIENT: 129 / 151, BALANCED: 113 / 125}
SHARE = {LENIENT: 151 / 200, BALANCED: 125 / 200}
PEOPLES_SHARE = 407 / 600
Answers = dict[str, dict[str, object]]


def answers() -> tuple[Answers, Answers]:
    """Rater to unit to yes or no, of the people and of the judges. Who dissents goes in turn."""
    people: Answers = {name: {} for name in PEOPLE}
    judges: Answers = {LENIENT: {}, BALANCED: {}}
    units = (kind[:-1] for kind in UNITS for _ in range(kind[-1]))
    dissents = 0
    for number, (majority, split, lenient, balanced) in enumerate(units):
        unit = f"u{number:03}"
        for at, name in enumerate(PEOPLE):
            dissenter = split and at == dissents % len(PEOPLE)
            people[name][unit] = OTHER[majority] if dissenter else majority
        dissents += split
        judges[LENIENT][unit], judges[BALANCED][unit] = lenient, balanced
    return people, judges


def import_two_judges(folder: Path) -> Study:
    """The study `raters` with the facet `rating`. folder: where its files may be written."""
    return import_raters(folder, *answers(), level="nominal")
