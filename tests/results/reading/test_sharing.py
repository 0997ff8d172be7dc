"""What is said of what people share."""

from collections.abc import Sequence

from annotation.rounds.sharing import FirstMet, sharing_of
from results.reading.sharing import said_of_order, said_of_sharing
from results.reading.wording import plain


def said(
    people: Sequence[tuple[int, ...]], kind: str = "team", names: dict[int, str] | None = None
) -> list[str]:
    sharing = sharing_of(people)
    assert sharing is not None
    return [plain(each.text) for each in said_of_sharing(sharing, kind, names)]


def test_of_connected_people_severity_can_be_told() -> None:
    (told,) = said([(1, 2, 3)] * 40)
    assert told == (
        "3 people answer 40 units each. Each shares 40 with each of 2 others, so how strict people "
        "are can be told from what they read."
    )


def test_people_apart_are_named_with_the_remedy() -> None:
    names = {1: "Ann", 2: "Ben", 3: "Cem", 4: "Dee"}
    _shared, told, *_ = said([(1,), (2,), (3, 4)], names=names)
    assert told == (
        "Ann and Ben share no unit with others: how strict they are cannot be told from the texts. "
        "Ask for more answers per unit, or let everybody answer some sources first (a calibration)."
    )


def test_groups_are_told_where_nobody_is_known_by_name() -> None:
    shared, told, *_ = said([(1, 2), (3, 4), (5, 6)], "fixed")
    assert shared == "A person answers about 1 unit and shares about 1 with each of about 1 other."
    assert told.startswith("People fall into groups of 2 that share no unit with each other")
    assert told.endswith("or let each batch be composed for its worker.")


def test_a_straggler_of_a_crowd_is_no_group_but_a_member_apart_is() -> None:
    people: list[tuple[int, ...]] = [*((n, n + 1) for n in range(20)), (99,)]
    told, *more = said(people, "composed")
    assert told == (
        "A person answers about 2 units and shares about 1 with each of about 2 others, so how "
        "strict people are can be told from what they read."
    )
    assert not any("groups" in each for each in more)
    _shared, apart, *_ = said(people, "team")
    assert apart.startswith("People fall into groups of at most 21")


def test_one_person_and_one_answer_each_have_no_agreement() -> None:
    (told,) = said([(1,)] * 40)
    assert told == (
        "One person answers everything: agreement between people cannot be computed. "
        "Ask for at least 2 answers per unit."
    )
    assert said([(1,), (2,)])[0].startswith("Each unit is answered by one person: agreement")


def test_few_units_are_too_few_for_a_judge() -> None:
    assert said([(1, 2)] * 29)[-1].startswith(
        "A judge is compared with single people who answer 30"
    )
    assert len(said([(1, 2)] * 30)) == 1


def test_systems_that_a_person_meets_are_counted() -> None:
    sharing = sharing_of([(1, 2), (1,)], ["A", "B"])
    assert sharing is not None
    *_, last = said_of_sharing(sharing, "composed")
    assert (last.text, last.warns) == ("A person meets outputs of 1 to 2 of the 2 systems.", True)


def test_whether_systems_are_first_equally_often() -> None:
    assert said_of_order(FirstMet({"A": 4, "B": 4}, 2)).text.endswith("often (4 times).")
    assert said_of_order(FirstMet({"A": 4, "B": 5}, 2)).text.endswith("often (4 or 5 times).")
    rest = said_of_order(FirstMet({"A": 18, "B": 21}, 1)).text
    assert "about equally often (18 to 21 times)" in rest
    uneven = plain(said_of_order(FirstMet({"A": 2, "B": 5, "C": 3}, 3)).text)
    assert uneven == (
        "Not every system is the first of a source equally often: 2 times (A) to 5 (B)."
    )
