"""The command `judge_loop`."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Rater, Study
from tests.workbench.rule import answer_all, good_value, half_value, split_study
from workbench.models import Look, Split

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    made = split_study()
    for version, value_of in ((1, half_value), (2, good_value)):
        rater = Rater.objects.create(
            study=made, name="theirs", version=version, kind="judge", origin="here"
        )
        answer_all(made, rater, value_of)
    Rater.objects.filter(study=made, name="theirs").update(origin="imported")
    return made


def said(*words: str) -> str:
    out = StringIO()
    call_command("judge_loop", "loop", *words, stdout=out)
    return out.getvalue()


def test_a_study_is_split_looked_at_and_shown(study: Study) -> None:
    assert said() == "The sources are not split.\n"
    assert "12 sources to develop on, 12 sealed" in said("split", "--seed", "7", "--looks", "1")
    assert Split.objects.get().planned_looks == 1
    assert said("look", "theirs", "--dry-run").startswith("0 calls; intervals at a confidence of")
    assert not Look.objects.exists()
    assert "sealed half, look 1 of 1" in said("look", "theirs")
    shown = said("show", "theirs")
    assert "1 of 1 looks taken, error spent 0.0500 of 0.05." in shown
    assert "theirs@2, development half: Utility 1.000" in shown


def test_what_flipped_is_listed_in_both_directions(study: Study) -> None:
    there, back = said("flips", "theirs@1", "theirs@2"), said("flips", "theirs@2", "theirs@1")
    assert "12 are nearer to people by the second, and 0 are farther" in there
    assert "0 are nearer to people by the second, and 12 are farther" in back
    assert there.count("nearer: ") == back.count("farther: ") == 12
    assert "0.700 → 1.000" in there


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("look", "theirs"), "split its sources first"),
        (("look", "nobody"), "no judge 'nobody'"),
        (("flips", "theirs"), "needs the name of 2 judge"),
        (("split", "--share", "0.01"), "needs 1000"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    study: Study, words: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(CommandError, match=reason):
        said(*words)
