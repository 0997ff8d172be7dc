"""The study of the two judges is what its description says."""

from tests.results.two_judges import (
    BALANCED,
    LENIENT,
    PEOPLE,
    PEOPLES_SHARE,
    SHARE,
    TRUE_NEGATIVE_RATE,
    TRUE_POSITIVE_RATE,
    answers,
)


def test_the_two_judges_differ_in_what_they_let_pass() -> None:
    people, judges = answers()
    units = list(people["ada"])
    votes = {unit: [people[name][unit] for name in PEOPLE] for unit in units}
    passed = {unit for unit in units if votes[unit].count("yes") >= 2}

    assert len(units) == 200
    assert sum(of.count("yes") for of in votes.values()) / 600 == PEOPLES_SHARE
    for name in (LENIENT, BALANCED):
        yes = {unit for unit in units if judges[name][unit] == "yes"}
        assert len(yes & passed) / len(passed) == TRUE_POSITIVE_RATE[name]
        assert 1 - len(yes - passed) / (200 - len(passed)) == TRUE_NEGATIVE_RATE[name]
        assert len(yes) / 200 == SHARE[name]
