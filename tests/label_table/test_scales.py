from pathlib import Path

import pytest

from tests.label_table.tables import (
    checked,
    findings,
    lacking,
    refused,
    value,
    wide,
    write_table,
)


def test_of_two_labels_the_one_for_a_failure_is_the_negative_one(tmp_path: Path) -> None:
    lines = ("a pass pass pass", "b fail fail pass", "c fail fail fail", "d fail fail fail")
    check = checked(write_table(tmp_path, "id human_1 human_2 judge", *lines))
    assert check.facet.labels == ("pass", "fail")
    assert "Rates take pass for yes and fail for no." in findings(check)
    assert value(check, "humans~judge", "true_negative_rate") == 2 / 3


def test_one_label_alone_has_another_beside_it_that_nobody_gave(tmp_path: Path) -> None:
    check = checked(wide(tmp_path, human_1="yy", human_2="yy"))
    assert check.facet.labels == ("another", "y")
    assert value(check, "humans", "krippendorff_alpha_nominal") is None


def test_two_numbers_are_labels_and_the_larger_one_is_positive(tmp_path: Path) -> None:
    check = checked(wide(tmp_path, human_1="1100", human_2="1100", judge="1000"))
    assert check.facet.distance == "nominal"
    assert value(check, "humans~judge", "true_positive_rate") == 1 / 2


def test_more_numbers_are_points_of_a_scale_or_labels_where_that_is_stated(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="1234", human_2="1235")
    assert checked(path).facet.distance == "ordinal"
    assert checked(path, level="interval").facet.distance == "interval"
    assert checked(path, level="nominal").facet.distance == "nominal"


def test_codes_and_points_are_not_told_apart_where_0_may_be_a_tie(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="0122", human_2="0121")
    assert refused(path) == (
        "labels.csv: question: Are 0, 1 and 2 points of a scale? --decide level=ordinal (points, "
        "in this order); --decide level=nominal (codes, such as 0 for a tie); --decide "
        "level=interval (points at equal distances)"
    )
    assert checked(path, level="ordinal").facet.distance == "ordinal"
    assert checked(path, level="nominal").facet.distance == "nominal"
    scale = checked(wide(tmp_path, human_1="1234", human_2="1235"))
    assert "Labels are numbers from 1 to 5, compared as ordinal (--level)." in findings(scale)


def test_scores_beside_labels_can_rank_and_not_agree(tmp_path: Path) -> None:
    lines = ("a yes yes 0.9", "b no no 0.2", "c yes yes 0.8", "d no yes 0.4")
    check = checked(write_table(tmp_path, "id human_1 human_2 judge", *lines))
    assert "judge gives scores on a scale of its own" in " ".join(lacking(check))
    (row,) = check.rows_of("humans~judge", "spearman")
    # By hand: of units without a tie, ranks 2.5 1 2.5 and 3 1 2: ρ = 1.5 / sqrt(1.5 x 2).
    assert row.estimate.value == pytest.approx(0.75**0.5)
    assert check.rows_of("humans~judge", "krippendorff_alpha_nominal") == []


def test_label_sets_that_have_nothing_in_common_are_refused(tmp_path: Path) -> None:
    path = write_table(tmp_path, "id human_1 human_2 judge", "a yes no good", "b yes no bad")
    assert refused(path) == (
        "labels.csv: judge: no label in common with people: it says bad, good, people say no, yes"
    )


def test_one_label_written_in_two_ways_is_refused(tmp_path: Path) -> None:
    path = write_table(tmp_path, "id human_1 human_2 judge", "a yes no Yes", "b yes no no")
    assert refused(path) == (
        "labels.csv:2: human_1: 'yes' beside 'Yes': one label, written in two ways; write it in one"
    )


def test_a_word_among_numbers_is_left_out_and_said_or_is_a_label(tmp_path: Path) -> None:
    lines = ("a 1 2 3", "b 2 2 2", "c 5 unsure 4")
    path = write_table(tmp_path, "id human_1 human_2 human_3", *lines)
    check = checked(path)
    assert (check.facet.distance, len(check.table.labels)) == ("ordinal", 8)
    assert "Read as no answer: `unsure` (1)." in [f.capitalize() for f in findings(check)]
    path = write_table(tmp_path, "id human_1 human_2 judge", "a 1 2 good", "b 3 2 bad", "c 4 4 bad")
    said = "a rater without a single label (labels.csv:2: judge: 'good' is not a number)"
    assert refused(path) == f"labels.csv: judge: {said}"


def test_a_label_of_one_side_alone_is_computed_and_said(tmp_path: Path) -> None:
    check = checked(wide(tmp_path, human_1="yynn", human_2="yynn", gpt="yuun"))
    assert "Label sets differ: judges say u, people never do." in lacking(check)
    assert "Labels: y 50 % and n 50 %." in findings(check)
    assert value(check, "humans~gpt", "raw_agreement") == 1 / 2


def test_a_judge_beyond_people_corrects_their_rate(tmp_path: Path) -> None:
    path = wide(
        tmp_path, human_1="yyynnn" + "." * 6, human_2="yyynnn" + "." * 6, gpt="yyynnnyyyyyn"
    )
    check = checked(path)
    assert "gpt labelled 6 units that people did, and 6 that no person did." in findings(check)
    # Without errors on the six, its own rate on all twelve: (3 + 5) / 12.
    assert value(check, "humans~gpt", "corrected_rate") == pytest.approx(8 / 12)
