"""Judges of other studies: no name, prompt or example of theirs is seen through any door."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Member, Study, User
from imports.study_file.writing import study_yaml
from judges.definitions.study_judges import judge_exists
from judges.definitions.versions import (
    BadJudge,
    UnknownJudge,
    define_judge,
    judge_for,
    known_names,
    method_of,
)
from judges.models import Judge
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.scope import RunRefused
from set_up.models import NewStudy
from set_up.study_files.application import version_of
from tests.cast import join, make_study
from tests.judges.other_studies import EXAMPLE, NAME, SECRET, hidden_judge
from tests.judges.scripted_judges import work_all, write_lines
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
Manage = Callable[..., Any]


@pytest.fixture
def hidden(study: Study, tmp_path: Path) -> Judge:
    """A judge of the study `small`, which has run there."""
    judge = hidden_judge(study, tmp_path)
    work_all(plan_run(study=study, judge=judge))
    return judge


@pytest.fixture
def own(outsider: User) -> Study:
    """The outsider's own study."""
    made = make_study("own")
    join(made, outsider, Member.Role.OWNER)
    return made


@pytest.fixture
def client(outsider: User) -> Client:
    return as_user(outsider)


def shows_nothing(answer: Any) -> bool:
    """Whether a page has nothing of the hidden judge but the name that somebody typed there."""
    text = answer.content.decode()
    return "unpublished" not in text and "Bridge 0" not in text


def apply_with(client: Client, study: Study, judges: list[Any]) -> Any:
    standing = study_yaml(study)
    keys = {**yaml.safe_load(standing), "judges": judges}
    sent = {"text": yaml.safe_dump(keys), "version": version_of(standing), "go": "apply"}
    return client.post(reverse("desk:edit-study", args=[study.slug]), sent)


def test_an_unknown_name_lists_the_names_of_the_study_alone(
    hidden: Judge, own: Study, client: Client
) -> None:
    define_judge(study=own, name="mine", method="lexical", family="none")
    page = apply_with(client, own, ["nosuch"])
    assert page.status_code == 422
    assert "(known: embedding, lexical, mine)" in page.content.decode()
    assert NAME not in page.content.decode()


@pytest.mark.parametrize("name", [NAME, f"{NAME}@1"])
def test_a_study_file_cannot_name_a_judge_of_another_study(
    hidden: Judge, own: Study, client: Client, name: str
) -> None:
    page = apply_with(client, own, [name])
    assert page.status_code == 422
    own.refresh_from_db()
    assert own.judges == []
    # Whatever stood in the database already is only a name.
    Study.objects.filter(pk=own.pk).update(judges=[NAME])
    assert shows_nothing(client.get(reverse("judges:runs", args=["own"]), {"costs": "1"}))


@pytest.mark.parametrize(
    ("page", "sent"),
    [
        ("start", {"judge": NAME, "replicates": 1}),
        ("start", {"judge": f"{NAME}@1", "replicates": 1}),
        ("take", {"judge": "1"}),
    ],
)
def test_no_form_takes_a_judge_of_another_study(
    hidden: Judge, own: Study, client: Client, page: str, sent: dict[str, Any]
) -> None:
    Study.objects.filter(pk=own.pk).update(judges=[NAME])
    if page == "take":
        sent = {"judge": hidden.pk}
    answer = client.post(reverse(f"judges:{page}", args=["own"]), sent)
    assert answer.status_code == 422
    assert shows_nothing(answer)
    assert not own.judge_runs.exists()
    assert not own.raters.exists()


@pytest.mark.parametrize("page", ["judge", "calibrate", "fix-probes", "ask-again"])
def test_no_page_of_a_version_is_there_in_another_study(
    hidden: Judge, own: Study, client: Client, page: str
) -> None:
    Study.objects.filter(pk=own.pk).update(judges=[NAME])
    address = reverse(f"judges:{page}", args=["own", NAME, 1])
    answer = client.get(address) if page == "judge" else client.post(address)
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "command",
    [("judge", "own", NAME), ("judge", "own", f"{NAME}@1", "--dry-run"),
     ("judge", "own", NAME, "--preview"), ("probe_judge", "own", NAME), ("calibrate", "own", NAME)],
)  # fmt: skip
def test_no_command_finds_a_judge_of_another_study(
    hidden: Judge, own: Study, command: tuple[str, ...]
) -> None:
    with pytest.raises(CommandError, match=r"no judge .* \(known: embedding, lexical\)"):
        call_command(*command)


def test_a_jury_has_no_members_of_another_study(hidden: Judge, own: Study) -> None:
    for member in (NAME, f"{NAME}@1"):
        assert not judge_exists(own, member)
        jury = define_judge(study=own, name="jury", method="jury", parameters={"judges": [member]})
        with pytest.raises(RunRefused, match="members that do not exist"):
            forecast_run(study=own, judge=jury)


def test_answers_that_name_a_judge_are_only_answers(
    hidden: Judge, own: Study, tmp_path: Path
) -> None:
    line = {"unit": "claim-0/alder/1", "block": "slider", "rater": NAME, "kind": "judge"}
    file = write_lines(tmp_path / "a.jsonl", [{**line, "answer": {"value": 3}}])
    call_command("import_answers", "own", str(file))
    with pytest.raises(UnknownJudge):
        judge_for(own, NAME)


def test_a_judge_of_another_study_answers_nothing_whoever_asks(hidden: Judge, own: Study) -> None:
    for verb in (forecast_run, plan_run):
        with pytest.raises(BadJudge, match="is a judge of another study"):
            verb(study=own, judge=hidden)


def test_a_name_never_falls_back_on_the_judge_of_another_study(study: Study, own: Study) -> None:
    define_judge(study=study, name="zs", method="lexical", family="theirs")
    own.judges = [{"name": "zs", "method": "lexical", "family": "ours"}]
    first = judge_for(own, "zs")
    define_judge(study=study, name="zs", method="lexical", family="theirs, later")
    own.judges = []
    assert judge_for(own, "zs") == first
    assert (first.version, first.family) == (1, "ours")
    assert known_names(own) == ["embedding", "lexical", "zs"]


def test_every_study_numbers_its_own_versions(study: Study, own: Study) -> None:
    for one in (study, own):
        for number, family in enumerate(("a", "b"), start=1):
            judge = define_judge(study=one, name="gpt", method="lexical", family=family)
            assert judge.version == number
    assert study.judge_versions.count() == own.judge_versions.count() == 2


def test_a_number_of_a_built_in_judge_is_no_other_judge_in_any_study(study: Study) -> None:
    assert str(judge_for(study, "lexical")) == "lexical@1"
    fitted = define_judge(study=study, name="lexical", method="lexical", family="fitted")
    assert str(fitted) == "lexical@2"
    Judge.objects.filter(study=None).update(fingerprint="of an earlier program")
    assert str(judge_for(study, "lexical")) == "lexical@3"
    assert judge_for(study, "lexical@2") == fitted


def test_who_may_read_both_studies_takes_a_judge_over_without_its_examples(
    hidden: Judge, study: Study, own: Study, outsider: User, client: Client
) -> None:
    address = reverse("judges:take", args=["own"])
    overview = reverse("judges:runs", args=["own"])
    Judge.objects.filter(pk=hidden.pk).update(  # recorded replies stay with the command line
        parameters={**hidden.parameters, "replies": "", "replies_sha256": ""},
        method="zero_shot", backend="chat",
    )  # fmt: skip
    assert "Take over a judge" not in client.get(overview).content.decode()
    join(study, outsider, Member.Role.VIEWER)
    assert f"small/{NAME}@1" in client.get(overview).content.decode()
    assert client.post(address, {"judge": hidden.pk, "name": "theirs"}).status_code == 302
    own.refresh_from_db()
    taken = judge_for(own, "theirs")
    assert (taken.study, taken.version, taken.parameters["template"]) == (own, 1, SECRET)
    assert "examples" not in taken.parameters
    assert "examples" not in json.dumps(own.judges)
    again = client.post(address, {"judge": hidden.pk, "name": "theirs"})
    assert again.status_code == 422
    assert "has a judge &#x27;theirs&#x27; already" in again.content.decode()
    hidden.refresh_from_db()
    assert hidden.parameters["examples"]


def test_a_jury_and_a_judge_with_files_are_not_taken_over(
    hidden: Judge, study: Study, own: Study, outsider: User, client: Client
) -> None:
    join(study, outsider, Member.Role.VIEWER)
    jury = define_judge(study=study, name="jury", method="jury", parameters={"judges": [NAME]})
    for judge, reason in ((jury, "stays with its members"), (hidden, "name a file of the server")):
        answer = client.post(reverse("judges:take", args=["own"]), {"judge": judge.pk})
        assert answer.status_code == 422
        assert reason in answer.content.decode()
    assert not own.judge_versions.exists()


def test_a_copy_of_a_study_has_its_judges_without_their_examples(
    study: Study, owner: User, tmp_path: Path
) -> None:
    fields = {"template": SECRET, "examples": [EXAMPLE]}
    defined = {"name": NAME, "method": "zero_shot", "model": "m", "parameters": fields}
    Study.objects.filter(pk=study.pk).update(judges=["lexical", "fitted", defined])
    sent = {"origin": "copy", "study": study.slug}
    assert as_user(owner).post(reverse("desk:new-study"), sent).status_code == 302
    [lexical, copied] = NewStudy.objects.get().keys["judges"]
    assert lexical == "lexical"
    assert copied["parameters"] == {"template": SECRET}


def test_a_judge_whose_examples_stayed_elsewhere_is_not_asked(hidden: Judge, study: Study) -> None:
    Judge.objects.filter(pk=hidden.pk).update(
        parameters={**hidden.parameters, "examples": [{"unit": "(of another study)"}]}
    )
    with pytest.raises(BadJudge, match="taken from another study stays there"):
        method_of(judge_for(study, f"{NAME}@1"))
    page = reverse("judges:judge", args=["small", NAME, 1])
    owner = Member.objects.get(study=study, role=Member.Role.OWNER).user
    assert as_user(owner).get(page).status_code == 200
