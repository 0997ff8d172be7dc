"""Judges: the same definition is the same version, another one is the next."""

from pathlib import Path

import pytest

from annotation.models import Rater, Study
from judges.definitions.raters import rater_of
from judges.definitions.versions import BadJudge, UnknownJudge, define_judge, judge_for, method_of
from tests.judges.scripted_judges import scripted_judge, write_lines

pytestmark = pytest.mark.django_db


def test_the_lexical_judge_is_there_without_being_defined(study: Study) -> None:
    assert str(judge_for(study, "lexical")) == "lexical@1"
    assert judge_for(study, "lexical@1") == judge_for(study, "lexical")


def test_the_same_definition_is_the_same_row(study: Study) -> None:
    assert define_judge(study=study, name="a", method="lexical") == define_judge(
        study=study, name="a", method="lexical"
    )


def test_another_definition_under_the_same_name_is_the_next_version(study: Study) -> None:
    first = define_judge(study=study, name="a", method="lexical")
    second = define_judge(study=study, name="a", method="lexical", family="none")
    assert (first.version, second.version) == (1, 2)
    assert judge_for(study, "a") == second
    assert judge_for(study, "a@1") == first


def test_a_file_of_replies_that_has_changed_makes_a_new_version(
    study: Study, tmp_path: Path
) -> None:
    first = scripted_judge(study, tmp_path)
    second = scripted_judge(study, tmp_path, {"claim-0/alder/1": {"reply": "{}"}})
    assert (first.version, second.version) == (1, 2)
    with pytest.raises(BadJudge, match="has changed since the judge was defined"):
        method_of(first)
    method_of(second)


def test_the_name_of_a_built_in_judge_means_no_version_that_a_study_made_of_it(
    study: Study,
) -> None:
    as_it_comes = judge_for(study, "lexical")
    made_in_a_study = define_judge(
        study=study, name="lexical", method="lexical", family="fitted elsewhere"
    )
    assert str(made_in_a_study) == "lexical@2"
    assert judge_for(study, "lexical") == as_it_comes
    assert judge_for(study, "lexical@2") == made_in_a_study


@pytest.mark.parametrize("reference", ["nobody", "lexical@2", "lexical@x", "lexical@0", "@1", ""])
def test_an_unknown_judge_is_named(study: Study, reference: str) -> None:
    with pytest.raises(UnknownJudge, match=reference or "NAME"):
        judge_for(study, reference)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"name": "a@1"}, "name: "),
        ({"name": "humans"}, "name: 'humans' has a special meaning"),
        ({"method": "tarot"}, "method: no judge method 'tarot' .known: lexical, scripted"),
        ({"backend": "chat"}, "backend: lexical cannot ask 'chat' .none"),
        ({"parameters": {"depth": 3}}, "parameters.depth: Extra inputs"),
        ({"method": "scripted"}, "parameters.file: Field required"),
        ({"method": "scripted", "parameters": {"file": "nowhere"}}, "parameters.file: there is no"),
    ],
)
def test_a_definition_that_cannot_be_used_names_the_field(
    study: Study,
    fields: dict,  # type: ignore[type-arg]
    reason: str,
) -> None:
    with pytest.raises(BadJudge, match=f"^{reason}"):
        define_judge(study=study, **{"name": "a", "method": "lexical", **fields})


def test_a_file_that_holds_no_replies_names_line_and_field(study: Study, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "r.jsonl", [{"unit": "u", "reply": "x"}, {"reply": "x"}])
    with pytest.raises(BadJudge, match=r"r\.jsonl:2: unit: Field required"):
        define_judge(study=study, name="a", method="scripted", parameters={"file": str(file)})


def test_a_study_defines_judges_of_its_own(study: Study) -> None:
    study.judges = ["lexical", {"name": "words", "method": "lexical", "family": "none"}]
    assert judge_for(study, "words").family == "none"
    assert judge_for(study, "lexical").name == "lexical"


def test_a_judge_is_one_rater_per_version(study: Study) -> None:
    first = define_judge(study=study, name="a", method="lexical")
    second = define_judge(study=study, name="a", method="lexical", family="none")
    assert rater_of(first, study) == rater_of(first, study)
    assert [rater_of(one, study).version for one in (first, second)] == [1, 2]
    assert rater_of(first, study).kind == Rater.Kind.JUDGE


def test_a_judge_does_not_take_the_name_of_an_imported_rater(study: Study) -> None:
    Rater.objects.create(
        study=study, name="lexical", kind=Rater.Kind.JUDGE, origin=Rater.Origin.IMPORTED
    )
    with pytest.raises(BadJudge, match="imported"):
        rater_of(judge_for(study, "lexical"), study)
