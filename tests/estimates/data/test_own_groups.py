"""Groups by own columns: what values make of rows, and the figures of a study by them."""

import json
import zipfile
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from agreement import alpha
from annotation.models import Rater, Study
from annotation.queries.group_keys import MOST_GROUPS
from annotation.queries.metadata import columns_for_groups
from annotation.rights.erasure import forget_properties
from estimates.data.bundles.reader import from_bundle
from estimates.data.database import from_database
from estimates.data.options import RATER_GROUPS, Options
from estimates.data.own_groups import FEW, groups_of, in_order, with_enough_people
from estimates.data.rows import Row
from estimates.engine.estimation import estimate
from estimates.kept.columns import from_kept_columns, keep_columns
from estimates.report.cache import report_of
from tests.results.grouped import (
    DOCUMENTS,
    LANGUAGE,
    RATERS,
    TOPIC,
    import_grouped,
    language,
    rating,
    topic,
)

QUICK = Options(resamples=0)
ALPHA = "krippendorff_alpha_ordinal"


# --- What values make of rows -------------------------------------------------------------------


def test_values_are_groups_and_rows_without_one_are_in_none() -> None:
    assert groups_of([(1, "news"), (2, ""), (3, "sport"), (4, "007")]) == {
        1: "news",
        3: "sport",
        4: "007",
    }


def test_many_numbers_make_four_groups() -> None:
    # 100 numbers: those up to the 25th, 50th and 75th, and the others.
    found = groups_of((n, str(n)) for n in range(1, 101))
    assert in_order(set(found.values())) == ["1 to 25", "26 to 50", "51 to 75", "76 to 100"]
    assert [found[n] for n in (1, 25, 26, 100)] == ["1 to 25", "1 to 25", "26 to 50", "76 to 100"]


def test_the_rarest_of_many_values_are_one_group() -> None:
    names = [f"app {n:02}" for n in range(50)]
    values = [
        (row, name)
        for row, name in enumerate(name for n, name in enumerate(names) for _ in range(50 - n))
    ]
    found = set(groups_of(values).values())
    assert found == {*names[: MOST_GROUPS - 1], "27 others"}
    assert in_order(found)[-1] == "27 others"


@pytest.mark.parametrize("value", ["a text of its own number {}", "x" * 101 + "{}"])
def test_texts_of_their_own_are_no_groups(value: str) -> None:
    assert groups_of((n, value.format(n)) for n in range(101)) == {}
    assert groups_of([(1, "x" * 101), (2, "y")]) == {}


@given(
    st.lists(
        st.one_of(st.floats(0, 1e6).map(lambda x: f"{x:.2f}"), st.text(max_size=4)), max_size=300
    )
)
def test_there_are_never_more_groups_than_anybody_compares(values: list[str]) -> None:
    found = groups_of(enumerate(values))
    assert len(set(found.values())) <= MOST_GROUPS
    # Rows with one value are in one group.
    by_value: dict[str, str] = {}
    for row, group in found.items():
        assert by_value.setdefault(values[row], group) == group


@given(st.lists(st.sampled_from("abcdef"), max_size=40))
def test_no_group_of_people_is_smaller_than_five(groups: list[str]) -> None:
    shown = with_enough_people(dict(enumerate(groups)))
    assert all([*shown.values()].count(group) >= 5 for group in shown.values())
    assert all(shown[at] in (groups[at], FEW) for at in shown)


def test_small_groups_of_people_are_one_where_that_has_five() -> None:
    people = dict(enumerate(["en"] * 5 + ["de"] * 3 + ["fr"] * 2))
    assert with_enough_people(people) == dict(enumerate(["en"] * 5 + [FEW] * 5))
    assert with_enough_people(dict(enumerate(["en"] * 5 + ["de"] * 4))) == dict.fromkeys(
        range(5), "en"
    )


# --- Figures of a study -------------------------------------------------------------------------


@pytest.fixture
def grouped(db: None, tmp_path: Path) -> Study:
    return import_grouped(tmp_path, "domain", "language")


def by_key(study: Study, key: str, options: Options = QUICK) -> dict[str, Row]:
    """Group -> its α of people."""
    rows = estimate(from_database(study), options).rows
    return {row.group[key]: row for row in rows if row.metric == ALPHA and {*row.group} == {key}}


def expected(of: Callable[[int, int], bool]) -> float:
    """α over the answers of these documents and raters, without a study."""
    answers = [(d, r, rating(d, r)) for d in range(DOCUMENTS) for r in range(RATERS) if of(d, r)]
    places, raters, values = (np.array(column) for column in zip(*answers, strict=True))
    value = alpha(places, raters, values.astype(float), distance="ordinal").value
    assert value is not None
    return value


def test_figures_are_given_for_the_values_of_an_own_column_of_texts(grouped: Study) -> None:
    assert grouped.group_by == [TOPIC, LANGUAGE]
    rows = by_key(grouped, TOPIC)
    assert {name: row.estimate.n_units for name, row in rows.items()} == {"news": 8, "sport": 4}
    news, sport = (rows[name].estimate.value for name in ("news", "sport"))
    assert news == pytest.approx(expected(lambda d, _r: topic(d) == "news"))
    assert sport == pytest.approx(expected(lambda d, _r: topic(d) == "sport"))


def test_figures_of_groups_of_raters_are_in_a_report_of_their_own(grouped: Study) -> None:
    assert not by_key(grouped, LANGUAGE)
    options = Options(resamples=0, rater_groups=True)
    rows = by_key(grouped, LANGUAGE, options)
    assert [*rows] == ["English"]  # two people speak German
    assert rows["English"].estimate.n_raters == 6
    assert rows["English"].estimate.value == pytest.approx(
        expected(lambda _d, r: language(r) == "English")
    )
    every = estimate(from_database(grouped), options).rows
    assert {key for row in every for key in row.group} == {LANGUAGE}
    assert {row.metric for row in every} >= {ALPHA, "mean", "raw_agreement"}


def test_figures_of_groups_are_the_same_from_kept_columns_and_from_a_bundle(
    grouped: Study, tmp_path: Path
) -> None:
    data = from_database(grouped)
    keep_columns(grouped, grouped.revision, data)
    kept = from_kept_columns(grouped, grouped.revision)
    assert kept is not None
    for options in (QUICK, Options(resamples=0, rater_groups=True)):
        assert estimate(kept, options).rows == estimate(data, options).rows
    call_command("export", "grouped", format="bundle", out=tmp_path / "out", stdout=StringIO())
    (bundle,) = (tmp_path / "out").glob("*.zip")
    _study, again = from_bundle(bundle)
    assert estimate(again, QUICK).rows == estimate(data, QUICK).rows
    assert not estimate(again, Options(resamples=0, rater_groups=True)).rows


def test_what_is_told_of_raters_is_in_no_export_and_no_usual_report(
    grouped: Study, tmp_path: Path
) -> None:
    rows = report_of(grouped).rows
    assert TOPIC in {key for row in rows for key in row.group}
    assert LANGUAGE not in {key for row in rows for key in row.group}
    for name in ("bundle", "csv", "jsonl"):
        call_command("export", "grouped", format=name, out=tmp_path / name, stdout=StringIO())
        for file in (tmp_path / name).rglob("*"):
            assert b"English" not in _unpacked(file)


def test_figures_go_with_what_files_told_of_a_person(grouped: Study) -> None:
    def shown() -> set[str]:
        grouped.refresh_from_db()
        return {row.group[LANGUAGE] for row in report_of(grouped, RATER_GROUPS).rows}

    assert shown() == {"English"}
    forget_properties(Rater.objects.filter(study=grouped, name__in=["w0", "w1"]))
    assert shown() == {FEW}  # four speak English, two German
    forget_properties(Rater.objects.filter(study=grouped, name__in=["w2", "w3"]))
    assert shown() == set()


def test_the_report_prints_groups_of_raters_where_it_is_asked_to(grouped: Study) -> None:
    out = StringIO()
    call_command("report", "grouped", "--json", "--rater-groups", stdout=out)
    groups = [row["group"] for row in json.loads(out.getvalue())["estimates"]]
    assert groups
    assert all(group == {LANGUAGE: "English"} for group in groups)
    with pytest.raises(CommandError, match="in no bundle"):
        call_command("report", "x.zip", "--rater-groups")


def test_the_columns_to_group_by_say_how_many_values_they_have(grouped: Study) -> None:
    columns = columns_for_groups(grouped)
    values = {key: column.values for key, column in columns.items()}
    assert values == {TOPIC: 2, LANGUAGE: 2, "source.summary": 12}
    assert all(column.makes_groups for column in columns.values())


def _unpacked(path: Path) -> bytes:
    if not path.is_file():
        return b""
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())
