"""How results are said: names of parties and groups, numbers that can be read."""

from agreement import Estimate
from results.reading.titles import group_text, party_title, value_text
from results.reading.wording import interval_text, number_text


def test_parties_and_pairs_are_said_in_words() -> None:
    assert party_title("humans") == "Humans"
    assert party_title("humans~lexical") == "lexical with humans"
    assert party_title("simulated~lexical@1") == "lexical@1 with simulated raters"
    assert party_title("human-eval~gpt") == "gpt with human-eval"


def test_numbers_have_as_many_digits_as_their_scale_needs() -> None:
    assert number_text(0.83951) == "0.840"
    assert number_text(61.46) == "61.5"
    assert number_text(-0.25) == "−0.250"
    assert interval_text(Estimate(value=61.0, low=9.52, high=80.0)) == "9.5 to 80.0"
    assert interval_text(Estimate(value=0.5)) == ""


def test_groups_are_named_by_their_keys() -> None:
    assert group_text({}) == ""
    assert group_text({"setting": "full", "system": "Alder"}) == "Subset: full, System: Alder"


def test_a_p_value_too_small_for_three_decimals_is_not_0() -> None:
    assert value_text("wilcoxon_p_holm", 0.0000123) == "< 0.001"
    assert value_text("wilcoxon_p_holm", 0.0456) == "0.046"
    assert value_text("mean_difference", 0.0000123) == "0.000"
