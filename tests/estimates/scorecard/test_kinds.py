"""The scorecard of a judge for every kind of answer, by hand."""

from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Rater, Study
from estimates.data.options import Options
from tests.cast import make_study
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study
from tests.results.imported import by_rater, import_raters, points
from tests.results.preferences import compared
from tests.results.scorecards import Card

GPT = "humans~gpt"


def card_of(study: Study) -> Card:
    return Card(estimate_study(study, Options(resamples=20)).rows)


def counts(card: Card, raters: str = GPT) -> dict[tuple[str, str], float | None]:
    """(people's label, the judge's) -> how often."""
    return {
        (row.group["people"], row.group["judge"]): row.estimate.value
        for row in card.all("confusion")
        if row.raters == raters
    }


def test_every_sentence_is_chosen_or_not(db: None) -> None:
    """Of three sentences people chose 0 and 1 together, the judge 0 and 2. The second unit, which
    the judge alone answered, is corrected for: but one yes of two and no no of one tell nothing."""
    study = make_study(sources=2)
    first, second = questions(study)
    choose(make_rater(study, "ada"), first, 0)
    choose(make_rater(study, "bob"), first, 0, 1)
    gpt = make_rater(study, "gpt", "judge")
    choose(gpt, first, 0, 2)
    choose(gpt, second, 1)

    card = card_of(study)

    assert counts(card) == {("yes", "yes"): 1, ("yes", "no"): 1, ("no", "yes"): 1}
    assert card.estimate("true_positive_rate", GPT).value == 1 / 2
    assert card.estimate("true_positive_rate", GPT).n_raters == 2
    assert card.estimate("true_negative_rate", GPT).value == 0
    assert card.estimate("precision", GPT).value == 1 / 2
    assert card.estimate("true_positive_rate", GPT, system="Birch").n_units == 2
    assert "no better than chance" in (card.estimate("corrected_rate", GPT).undefined or "")
    # {0} and {0, 1} share one of two; {0, 2} shares one of two with {0}, one of three with {0, 1}.
    assert card.estimate("agreement_gap", GPT).value == pytest.approx(1 / 2 - 5 / 12)


def test_a_judge_is_compared_with_every_baseline_and_baselines_with_nobody(
    db: None, tmp_path: Path
) -> None:
    """On two units ada agrees with gpt twice and with the baseline once: 1 - 1/2. The p-value of
    the two judges is as it would be without a baseline."""
    machines = {"gpt": "12", "llama": "11", "baseline:length": "11", "baseline:random": "22"}
    study = import_raters(tmp_path, points(ada="12"), points(**machines), level="nominal")
    card = card_of(study)
    pairs = {(row.second, row.group["other_judge"]) for row in card.all("judge_difference")}
    baselines = {"baseline:length", "baseline:random"}
    with_baselines = {(judge, low) for judge in ("gpt", "llama") for low in baselines}
    assert pairs == {("gpt", "llama"), *with_baselines}
    lead = card.estimate("judge_difference", GPT, other_judge="baseline:length")
    assert lead.value == 1 - 1 / 2
    beside_ada = {row.second for row in card.all("raw_agreement") if row.raters.startswith("ada~")}
    assert beside_ada == {"gpt", "llama"}


def test_a_mean_between_two_points_counts_half_at_each(db: None, tmp_path: Path) -> None:
    study = import_raters(tmp_path, points(ada="12", bob="22"), points(gpt="12"), level="ordinal")

    card = card_of(study)

    assert counts(card) == {("1", "1"): 0.5, ("2", "1"): 0.5, ("2", "2"): 1}
    assert card.estimate("rate_bias", GPT).value == -0.25
    assert card.estimate("rate_bias", GPT, label="2").value == pytest.approx(1 / 2 - 3 / 4)
    assert card.estimate("true_positive_rate", GPT, label="2").value == pytest.approx(2 / 3)


def test_a_scale_without_points_has_a_bias_and_a_gap_alone(db: None) -> None:
    study = make_study(sources=12, blocks=[("slider", {})])
    for name, kind, more in (("ada", "human", 0), ("bob", "human", 4), ("gpt", "judge", 12)):
        rater = make_rater(study, name, kind)
        for number, question in enumerate(questions(study)):
            rate(rater, question, 5 * number + more)

    card = card_of(study)

    assert card.all("confusion") == card.all("true_positive_rate") == []
    assert card.estimate("rate_bias", GPT).value == 10
    # ada and bob are 4 of 100 apart, the judge 12 and 8 from them.
    assert card.estimate("agreement_gap", GPT).value == pytest.approx(0.96 - 0.9)


def test_preferences_are_orders_of_two_texts_by_name(db: None, tmp_path: Path) -> None:
    given = {"ada": "first second tie", "bob": "first second tie", "gpt": "first first second"}
    study = compared(
        tmp_path,
        {
            name: dict(zip(("u0", "u1", "u2"), to.split(), strict=True))
            for name, to in given.items()
        },
        dict.fromkeys(("u0", "u1", "u2"), ("Alder", "Birch")),
    )
    Rater.objects.filter(name="gpt").update(kind="judge")

    card = card_of(study)

    assert counts(card) == {("first", "first"): 1, ("second", "first"): 1, ("tied", "second"): 1}
    assert card.all("true_positive_rate") == []
    assert card.estimate("agreement_gap", GPT).value == pytest.approx(2 / 3)


def test_a_ranking_is_the_order_of_every_two(db: None, tmp_path: Path) -> None:
    """ada: Alder, Birch, Cedar. gpt: Birch before Alder and Cedar, which are tied."""
    (tmp_path / "r.csv").write_text(
        "item,rater,Alder,Birch,Cedar\nd,ada,1,2,3\nd,gpt,2,1,2\n", encoding="utf-8"
    )
    call_command("import_study", "ranks", str(tmp_path / "r.csv"), slug="r", verbosity=0)
    Rater.objects.filter(name="gpt").update(kind="judge")

    card = card_of(Study.objects.get(slug="r"))

    assert counts(card) == {("first", "second"): 1, ("first", "tied"): 1, ("first", "first"): 1}
    assert card.estimate("agreement_gap", GPT).undefined == (
        "no unit with the judge and two people"
    )


def test_the_share_of_units_that_people_did_not_see_is_corrected(db: None, tmp_path: Path) -> None:
    """TPR 3/4, TNR 2/3; the judge says yes to 4 of 7 shared and 1 of 3 others, 5/10 of all:
    (.5 + .6667 - 1) / (.75 + .6667 - 1) = .4."""
    study = import_raters(
        tmp_path,
        by_rater(ada="yyyynnn..."),
        by_rater(gpt="yyynynnynn"),
        level="nominal",
    )

    found = card_of(study).estimate("corrected_rate", GPT)

    # Neither label is called yes: the first one, n, is the positive one.
    assert (found.n_units, found.n_ratings) == (10, 7)
    assert found.value == pytest.approx(1 - 0.4)


def test_what_people_answered_without_agreeing_is_not_corrected_for(
    db: None, tmp_path: Path
) -> None:
    people = by_rater(ada="yyynnny", bob="yyynnnn")
    card = card_of(import_raters(tmp_path, people, by_rater(gpt="yyynnnn"), level="nominal"))

    assert card.estimate("true_positive_rate", GPT).value == 1
    assert sum(counts(card).values()) == 6  # type: ignore[arg-type]
    assert card.all("corrected_rate") == []


def test_more_labels_than_a_table_has_room_for_have_rates_and_no_table(
    db: None, tmp_path: Path
) -> None:
    study = import_raters(
        tmp_path, by_rater(ada="abcdefghijklm"), by_rater(gpt="abcdefghijklm"), level="nominal"
    )

    card = card_of(study)

    assert [row.estimate.undefined for row in card.all("confusion")] == ["more than 11 labels"]
    assert card.estimate("true_positive_rate", GPT, label="m").value == 1


def test_versions_of_a_judge_have_rates_and_a_difference_but_no_other_rows(
    db: None, tmp_path: Path
) -> None:
    study = import_raters(
        tmp_path, by_rater(ada="yyyyyynnnnnn"), by_rater(gpt="yyyyyyyyynnn"), level="nominal"
    )
    newer = make_rater(study, "gpt", "judge", version=2)
    for question, label in zip(questions(study), "yyyyyynnnnny", strict=True):
        answer = question.typed_answer({"scores": {"rating": label}})
        record_answers(rater=newer, given=[GivenAnswer(question, answer)])

    card = card_of(study)

    assert card.estimate("true_positive_rate", GPT).value == 5 / 6
    assert card.estimate("true_positive_rate", "humans~gpt@1").value == 3 / 6
    difference = card.estimate("judge_difference", GPT, other_judge="gpt@1")
    assert difference.value == pytest.approx(11 / 12 - 9 / 12)
    older = {row.metric for row in card.rows.values() if row.raters == "humans~gpt@1"}
    assert {"true_negative_rate", "agreement_gap"} <= older
    assert not older & {"confusion", "slice_difference", "judge_difference_p"}


def test_parts_where_a_judge_does_worse_are_corrected_for_being_several(db: None) -> None:
    """The judge is 2 or 4 off with Alder, 40 or 42 with Birch; verdicts go with systems here."""
    study = make_study(sources=24, blocks=[("slider", {})])
    ada, gpt = make_rater(study, "ada"), make_rater(study, "gpt", "judge")
    for number, question in enumerate(questions(study)):
        rate(ada, question, 10)
        rate(gpt, question, (12 if number % 2 else 50) + 2 * (number % 4 // 2))

    card = card_of(study)

    found = card.estimate("slice_difference", GPT, system="Birch")
    assert found.value == pytest.approx(-0.38)
    assert found.high is not None
    assert found.high < 0
    assert {tuple(row.group.items()) for row in card.all("slice_p")} == {
        (("system", "Alder"),),
        (("system", "Birch"),),
        (("label", "true"),),
        (("label", "false"),),
    }
    assert (card.estimate("slice_p", GPT, system="Birch").value or 1) < 1e-6
