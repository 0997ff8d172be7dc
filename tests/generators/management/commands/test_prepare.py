"""`prepare`: from claims and responses alone to scores, by a model's lists that people checked."""

import json
import zipfile
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Preparation, Question, Rater, Study
from estimates.data.bundles.reader import from_bundle
from estimates.data.database import from_database
from generators.lists import ListProposer
from judges.definitions.versions import define_judge
from judges.methods.registry import METHODS
from judges.runs.plans.plan import plan_run
from tasktypes.registry import TASK_TYPES
from tests.imports.preparation.studies import ERROR, claims_without_errors, responses_without_claims
from tests.imports.small_files import write_lines
from tests.judges.endpoints import MODEL, Opening
from tests.judges.scripted_judges import work_all
from tests.services.endpoint import Behaviour

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path / "data"


def prepare(*arguments: str) -> str:
    out = StringIO()
    call_command("prepare", "s", *arguments, stdout=out)
    return out.getvalue()


def report(study: Study) -> dict[tuple[str, str, str], Any]:
    """Metric, raters and condition of each row that has a value."""
    out = StringIO()
    call_command("report", study.slug, "--json", stdout=out)
    rows = json.loads(out.getvalue())["estimates"]
    return {
        (row["metric"], row["raters"], row["group"].get("condition", "")): row["value"]
        for row in rows
        if row["value"] is not None and row["group"].keys() <= {"condition"}
    }


def answer_all(study: Study, name: str, answer: Any) -> None:
    """A person's answers to every question."""
    rater = Rater.objects.create(study=study, name=name, kind="human", origin="imported")
    given = [
        GivenAnswer(question, question.typed_answer(answer(question)))
        for question in Question.objects.filter(study=study).select_related("block")
    ]
    record_answers(rater=rater, given=given)


def run_judge(study: Study, method: str, **parameters: Any) -> None:
    judge = define_judge(
        study=study, name=method, method=method, backend="chat", model=MODEL, parameters=parameters
    )
    run = work_all(plan_run(study=study, judge=judge, subset="full"))
    assert (run.state, run.reason) == ("complete", "")


# --- Errors of a claim --------------------------------------------------------------------------


def fact_checker(asked: Mapping[str, Any]) -> str:
    """A model that finds one error in each claim, and sees it pointed out but not corrected."""
    prompt = asked["messages"][0]["content"]
    if "Find out what is false" in prompt:
        assert "The mill flooded in May." in prompt
        return json.dumps({"subclaims": ["It burnt."], "errors": [ERROR]})
    if "Errors in the claim" in prompt:
        return '{"errors": [{"error": 0, "points_out": true, "corrects": false}]}'
    return '{"links": [{"link": 0, "exists": true, "relevant": true, "supports": true}]}'


def rubric(question: Question) -> dict[str, Any]:
    links = [
        {"link": number, "exists": True, "relevant": True, "supports": False}
        for number, _ in enumerate(question.payload["links"])
    ]
    return {"errors": [{"error": 0, "points_out": True, "corrects": True}], "links": links}


def test_a_claim_alone_gets_its_errors_its_units_and_a_score(
    endpoint: Opening, tmp_path: Path, owner: Any
) -> None:
    server = endpoint(Behaviour(answer=fact_checker, rates={"429": 0.1}, seed=2))
    study = claims_without_errors(tmp_path)
    assert "actionability: errors: 2 missing" in prepare()
    assert "2 lists, 2 calls" in prepare("propose", "--model", MODEL, "--dry-run")
    said = prepare("propose", "--model", MODEL, "--max-cost", "1")
    assert "actionability: 2 of 2 lists proposed" in said
    assert server.charged["calls"] == 2  # one for each claim, however many texts there are on it
    row = Preparation.objects.get(source__key="mill-0")
    assert (row.entries, row.state) == ([ERROR], "proposed")
    origin = row.provenance
    assert (origin["by"], origin["model"], len(origin["prompt_hash"])) == ("model", MODEL, 64)
    assert json.loads(origin["replies"][0]["text"])["errors"] == [ERROR]
    assert study.units.count() == 2

    file = tmp_path / "lists.jsonl"
    assert "2 lists" in prepare("export", str(file))
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    records[0]["entries"][0]["correction"] = "It flooded in May, said the town."
    write_lines(file, records)
    assert "4 units" not in prepare("import", str(file))
    assert "2 accepted: 2 units made, 2 changed" in prepare(
        "import", str(file), "--accept", "--by", "owner"
    )
    assert study.units.count() == 4
    focus = study.units.get(key="mill-0/plain").focus
    assert focus["prepared"]["errors"]["model"] == MODEL
    assert focus["prepared"]["errors"]["edited"] is True
    status = json.loads(prepare("status", "--json"))
    assert status["blocks"][0]["accepted"] == 2

    answer_all(study, "ann", rubric)
    run_judge(study, "fingract", pages="none")
    rows = report(study)
    # Two points for the error and two for its correction; of links all, some or none.
    assert rows["fingract_score", "humans", ""] == pytest.approx((20 / 6 + 25 / 6) / 2)
    assert rows["fingract_score", "fingract", ""] == pytest.approx((10 / 6 + 20 / 6) / 2)

    call_command("export", "s", "--format", "bundle", "--out", str(tmp_path / "out"))
    (bundle,) = (tmp_path / "out").rglob("*.zip")
    assert len(from_bundle(bundle)[1].ratings) == len(from_database(study).ratings)
    with zipfile.ZipFile(bundle) as archive:
        (units,) = [name for name in archive.namelist() if name.endswith("units.jsonl")]
        exported = [json.loads(line) for line in archive.read(units).splitlines()]
    assert focus in [unit["focus"] for unit in exported]


def test_a_file_can_say_once_more_what_a_killed_run_has_paid_for(
    endpoint: Opening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from generators import lists

    server = endpoint(Behaviour(answer=fact_checker))
    claims_without_errors(tmp_path)

    def killed(**about: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(lists, "propose", killed)
        with pytest.raises(KeyboardInterrupt):
            prepare("propose", "--model", MODEL)
    assert server.charged["calls"] == 2
    assert "2 of 2 lists" in prepare("propose", "--model", MODEL)
    assert server.charged["calls"] == 2
    with pytest.raises(CommandError, match="no errors are missing"):
        prepare("propose", "--model", MODEL)


def test_a_reply_that_is_no_list_is_counted_and_asked_again(tmp_path: Path) -> None:
    claims_without_errors(tmp_path)
    good = json.dumps({"subclaims": ["It burnt."], "errors": []})
    long = json.dumps({"subclaims": ["It burnt."], "errors": [ERROR] * 151})
    for bad, reason in (("No idea.", "no JSON object"), (long, "151 are too many")):
        replies = [{"unit": f"mill-{n}", "step": "errors", "reply": text}
                   for n, text in enumerate((good, bad))]  # fmt: skip
        file = write_lines(tmp_path / "replies.jsonl", replies)
        with pytest.raises(CommandError, match=f"1 lists are missing: 1 × .*{reason}"):
            prepare("propose", "--replies", str(file))
        assert Preparation.objects.filter(source__key="mill-1").count() == 0
    assert Preparation.objects.get().entries == []


def test_nothing_is_begun_above_the_cap(endpoint: Opening, tmp_path: Path) -> None:
    endpoint(Behaviour(answer=fact_checker))
    claims_without_errors(tmp_path)
    with pytest.raises(CommandError, match="max cost: 2 calls are expected to cost"):
        prepare("propose", "--model", MODEL, "--max-cost", "0.0000001")
    assert "1 of 1 lists" in prepare("propose", "--model", MODEL, "--limit", "1")


def test_a_prompt_of_ones_own_is_sent_and_checked_before(endpoint: Opening, tmp_path: Path) -> None:
    prompts = []

    def keep(asked: Mapping[str, Any]) -> str:
        prompts.append([message["content"] for message in asked["messages"]])
        return json.dumps({"subclaims": ["It burnt."], "errors": [ERROR]})

    endpoint(Behaviour(answer=keep))
    claims_without_errors(tmp_path)
    system, own = tmp_path / "system.txt", tmp_path / "own.txt"
    system.write_text("You are careful.", encoding="utf-8")
    own.write_text("What is wrong here: $claim", encoding="utf-8")
    texts = ("--system-message", str(system), "--template", f"errors={own}", "--limit", "1")
    prepare("propose", "--model", MODEL, *texts)
    assert prompts == [["You are careful.", "What is wrong here: Mill 0 burnt."]]
    own.write_text("What is wrong here: $clam", encoding="utf-8")
    with pytest.raises(CommandError, match=r"there is no slot \$clam"):
        prepare("propose", "--model", MODEL, *texts)


# --- Claims of a response -----------------------------------------------------------------------


def assessor(asked: Mapping[str, Any]) -> str:
    """A model that takes a response apart, and finds the claim that the documents contradict."""
    prompt = asked["messages"][0]["content"]
    year = "1812" if "1812" in prompt.replace("1911 and painted", "") else "1911"
    if "Take it apart" in prompt:
        return json.dumps({"claims": [f"The bridge was built in {year}.", "The bridge is green."]})
    if "Put the claims in order" in prompt:
        labels = [{"claim": 0, "importance": "vital"}, {"claim": 1, "importance": "okay"}]
        return json.dumps({"ranking": labels})
    held = "unsupported" if year == "1812" else "supported"
    claims = [{"claim": 0, "support": held}, {"claim": 1, "support": "supported"}]
    return json.dumps({"claims": claims})


def labels(question: Question) -> dict[str, Any]:
    held = "unsupported" if "1812" in question.payload["claims"][0] else "supported"
    return {"claims": [{"claim": 0, "importance": "vital", "support": held},
                       {"claim": 1, "importance": "okay", "support": "supported"}]}  # fmt: skip


def test_a_response_and_its_twin_are_taken_apart_alike_and_the_error_is_detected(
    endpoint: Opening, tmp_path: Path
) -> None:
    endpoint(Behaviour(answer=assessor))
    study = responses_without_claims(tmp_path)
    assert not study.units.exists()
    assert "2 of 2 lists proposed" in prepare("propose", "--model", MODEL)
    file = tmp_path / "lists.jsonl"
    prepare("export", str(file))
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [len(record["entries"]) for record in records] == [2, 2]
    records[1]["entries"][1] = "The bridge has been painted green."
    write_lines(file, records)
    assert "2 units made" in prepare("import", str(file), "--accept")
    claims = {unit.key: unit.questions.get().payload["claims"] for unit in study.units.all()}
    assert claims["bridge/a"][1] == "The bridge is green."
    assert claims["bridge/a/wrong"][1] == "The bridge has been painted green."

    answer_all(study, "ann", labels)
    run_judge(study, "vital", verify="together")
    rows = report(study)
    detections = {key[:2]: value for key, value in rows.items() if key[0].startswith("detection_")}
    for raters in ("humans", "vital"):
        assert detections["detection_vital_precision", raters] == 1.0


# --- What cannot be done ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["propose"], "model: name the model to ask"),
        (["propose", "--model", "m", "--block", "slider"], "--block: name the block"),
        (["propose", "file"], "propose takes no FILE"),
        (["export"], "export needs a FILE"),
        (["import", "nowhere.jsonl"], "No such file"),
        (["propose", "--model", "m", "--temperature", "9"], "temperature: "),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path, arguments: list[str], reason: str
) -> None:
    claims_without_errors(tmp_path)
    with pytest.raises(CommandError, match=reason) as caught:
        prepare(*arguments)
    assert "\n" not in str(caught.value)


def test_an_account_that_does_not_exist_accepts_nothing(tmp_path: Path) -> None:
    claims_without_errors(tmp_path)
    file = write_lines(tmp_path / "l.jsonl", [{"source": "mill-0", "entries": [ERROR]}])
    with pytest.raises(CommandError, match="--by: no account 'nobody'"):
        prepare("import", str(file), "--accept", "--by", "nobody")
    assert not Preparation.objects.exists()


def test_a_study_that_asks_by_no_list_has_nothing_to_prepare(study: Study) -> None:
    out = StringIO()
    call_command("prepare", study.slug, stdout=out)
    assert "nothing to prepare" in out.getvalue()
    with pytest.raises(CommandError, match=r"those that can be: none"):
        call_command("prepare", study.slug, "propose", "--model", "m")


@pytest.mark.parametrize(
    ("kind", "prepared"),
    [(kind, prepared) for kind in TASK_TYPES for prepared in kind.prepared_lists],
    ids=lambda part: getattr(part, "slug", None) or part.name,
)
def test_a_method_with_this_first_step_asks_what_is_asked_in_preparing(
    kind: Any, prepared: Any
) -> None:
    prompt = prepared.prompt(kind.example.source, kind.example.items[0])
    assert "$" not in prompt
    name = prepared.name
    for method in METHODS:
        if method.can_serve(kind) and name in method.Parameters.model_fields:
            parameters = method.Parameters.model_validate({name: "own"})
            judge = method(parameters, model="m", backend="scripted")
            assert prepared.prompt_template in judge.prompt_text(kind)
    parameters = ListProposer.Parameters(name=prepared.name)
    proposer = ListProposer(parameters, model="m", backend="scripted")
    assert proposer.prompt_text(kind) == prepared.prompt_template
