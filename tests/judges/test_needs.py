"""No judge is asked about nothing: every method on a study of every format and every example.

A combination is refused with what is missing, or every question that is planned shows it.
"""

import re
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Item, Question, Source, Study, Unit, User
from imports.formats.registry import FORMATS
from judges.backends.scripted import fingerprint
from judges.definitions.versions import judge_for, method_of
from judges.methods.asks import Ask
from judges.methods.contract import Method
from judges.methods.local_model import ModelMethod
from judges.methods.registry import METHODS, find_method
from judges.models import Call, Judge, JudgeRun
from judges.runs.plans.asks import as_ask
from judges.runs.plans.left_out import left_out_sentence
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.scope import RunRefused
from tasktypes.texts.material import NO_TEXT
from tests.cast import make_study
from tests.imports import formats
from tests.imports.small_files import fcexp_record, import_lines, record, write_json, write_lines
from tests.imports.tables import import_files, write_table
from tests.judges.scripted_judges import scripted_judge

pytestmark = pytest.mark.django_db

# Every reason for which a method may be refused here: what is missing, or the questions are others.
REASON = re.compile(
    r"judge: \w+ (needs .+, which (all \d+ units lack|the only unit lacks): .+"
    r"|answers .+; study .+ asks .+"
    r"|cannot answer unit .+: (.+ \(rubrics\)|verify: .+))"
    r"|setting: study s has no question for the judge"
)
TEXT, EVIDENCE = "the text to judge", "a document or passages"
FOREIGN = Path(formats.__file__).parent / "foreign"
FEW = 5
# The one that is filled by a program, night by night, begins empty.
EXAMPLES = sorted(
    file
    for file in (Path(settings.BASE_DIR) / "examples").glob("*/study.yaml")
    if file.parent.name != "nightly"
)

# --- The smallest study of each format ------------------------------------------------------------

SUMMARY = {
    "sentence": "The ferry sails at nine.",
    "responses": [{"worker_id": 1, "response": "yes"}],
}
SCORED = {
    "system_output": "Larch is a place.",
    "scores": {"quality": 4.5},
    "predict_scores": {"quality": 0.25},
}
RESPONSE = {
    "query": "Does the tram run at night?",
    "response": {"text": "It does. Every hour."},
    "decomposition": [{"decomp": [{"id": "S1", "text": "The tram runs.", "importance": "vital"}]}],
    "subclaim-importance-order": ["S1"],
}
POLITIHOP = (
    "article_id\tstatement\truling\tannotated_evidence\tannotated_label",
    ('7\tThe mill was sold.\t"[""The mill is empty.""]"\t"{""1"": [""0""]}"\ttrue'),
)
RATINGS = "worker,item,generator,rating", "w1,i,larch,89", "w2,i,birch,12"
WITH_TEXTS = "worker,item,text,rating", "w1,i,A claim.,89", "w2,j,Another one.,12"


def ratings_with_texts(folder: Path) -> Study:
    columns = folder / "columns.yaml"
    columns.write_text("{rater: worker, item: item, text: text, rating: rating}")
    table = write_table(folder / "t.csv", *WITH_TEXTS)
    return import_files("ratings", table, columns=columns)


def outputs(folder: Path) -> Study:
    columns = folder / "columns.yaml"
    columns.write_text("{}")
    table = write_table(folder / "items.csv", "document,summary", "The ferry sails.,It sails.")
    return import_files("table", table, columns=columns, task_type="likert")


STUDIES: Mapping[str, Callable[[Path], Study]] = {
    "table": outputs,
    "jsonl": lambda folder: import_lines(folder, [record()]),
    "fcexp": lambda folder: import_files(
        "fcexp", write_json(folder / "larch_full_data.json", {"1": fcexp_record()})
    ),
    "politihop": lambda folder: import_files(
        "politihop", write_table(folder / "p.tsv", *POLITIHOP)
    ),
    "qags": lambda folder: import_files(
        "qags",
        write_lines(
            folder / "votes.jsonl", [{"article": "At nine.", "summary_sentences": [SUMMARY]}]
        ),
    ),
    "unieval": lambda folder: import_files(
        "unieval", write_json(folder / "r.json", [SCORED, SCORED | {"source": "Larch."}])
    ),
    "vitalerrors": lambda folder: import_files(
        "vitalerrors", write_lines(folder / "human-eval_normal.jsonl", [RESPONSE])
    ),
    "ratings": lambda folder: import_files("ratings", write_table(folder / "t.csv", *RATINGS)),
    "ratings with texts": ratings_with_texts,
    "raters": lambda folder: import_files(
        "raters", write_json(folder / "people.json", {"a": {"u1": 1, "u2": 5}}), level="ordinal"
    ),
    "ranks": lambda folder: import_files(
        "ranks", write_table(folder / "t.csv", "item,rater,x,y", "1,a,1,2")
    ),
    "inspect": lambda folder: import_files("inspect", FOREIGN / "inspect.eval"),
    "label-studio": lambda folder: import_files("label-studio", FOREIGN / "label_studio.json"),
    "argilla": lambda folder: import_files("argilla", FOREIGN / "argilla"),
    "doccano": lambda folder: import_files("doccano", FOREIGN / "doccano" / "spans"),
    "prodigy": lambda folder: import_files("prodigy", FOREIGN / "prodigy" / "spans.jsonl"),
    "potato": lambda folder: import_files("potato", FOREIGN / "potato"),
    "huggingface": lambda folder: import_files("huggingface", FOREIGN / "huggingface"),
    "lm-eval": lambda folder: import_files("lm-eval", FOREIGN / "lm_eval"),
    "arena": lambda folder: import_files("arena", FOREIGN / "arena" / "human_judgments.json"),
    "promptfoo": lambda folder: import_files("promptfoo", FOREIGN / "promptfoo" / "results.json"),
    "langfuse": lambda folder: import_files(
        "langfuse", *sorted((FOREIGN / "langfuse").glob("api_*.json"))
    ),
    "mlflow": lambda folder: import_files("mlflow", FOREIGN / "mlflow" / "traces.jsonl"),
    "deepeval": lambda folder: import_files("deepeval", FOREIGN / "deepeval" / "run_1.json"),
    "openai-evals": lambda folder: import_files(
        "openai-evals", FOREIGN / "openai_evals" / "output_items.json"
    ),
    "ragas": lambda folder: import_files("ragas", FOREIGN / "ragas" / "ragas.csv"),
    "otel": lambda folder: import_files("otel", FOREIGN / "otel" / "otlp.jsonl"),
    "summary": lambda folder: import_files(
        "summary", write_table(folder / "t.csv", "study,system,rater,metric,value", "p,x,a,mean,1")
    ),
}


def example(file: Path) -> Callable[[Path], Study]:
    def apply(_folder: Path) -> Study:
        call_command("apply_study", str(file), verbosity=0)
        # Whether a method finds what it needs shows in a few units of each role.
        few = [
            unit.pk
            for role in Unit.Role.values
            for unit in Unit.objects.filter(role=role).order_by("pk")[:FEW]
        ]
        Unit.objects.exclude(pk__in=few).delete()
        return Study.objects.get()

    return apply


ALL_STUDIES = [
    *(pytest.param(make, id=name) for name, make in STUDIES.items()),
    *(pytest.param(example(file), id=f"example {file.parent.name}") for file in EXAMPLES),
]

# --- Every method, and its ways that need more or less --------------------------------------------

WAYS: list[tuple[str, dict[str, Any]]] = [
    *((method.name, {}) for method in METHODS if method.name not in ("jury", "scripted")),
    ("zero_shot", {"shows": "bare"}),
    ("prometheus", {"reference": "document"}),
    ("prometheus", {"rubrics": {"quality": ["1", "2", "3", "4", "5"]}}),
    ("fingract", {"errors": "own"}),
    ("vital", {"verify": "none"}),
    ("vital", {"claims": "own"}),
    ("unieval", {"dimension": "fluency"}),
]


def judge_of(name: str, parameters: Mapping[str, Any]) -> Judge:
    """A judge of that method. No model is looked for: nothing is asked."""
    method = find_method(name)
    return Judge.objects.create(
        name=f"{name}-{Judge.objects.count()}",
        version=1,
        method=name,
        backend=next(iter(method.backends), ""),
        model="a-model",
        parameters=method.Parameters.model_validate(parameters).model_dump(mode="json"),
    )


def asked_of(method: Method[Any], ask: Ask) -> str:
    """What the model reads first, or what the method works on; empty where it cannot answer."""
    if not isinstance(method, ModelMethod):
        return method.first_prompt(ask) or ask.payload.model_dump_json()
    try:
        return "\n".join(map(str, method.inputs(ask)))
    except ValueError:
        return ""


def assert_nothing_is_missing(run: JudgeRun, method: Method[Any]) -> None:
    ids = run.calls.values_list("question", flat=True)
    for question in Question.objects.filter(pk__in=ids).select_related("unit", "block"):
        ask = as_ask(question, replicate=0)
        assert NO_TEXT not in asked_of(method, ask)
        unit = question.unit
        texts = [s["text"] for item in unit.items.all() for s in item.sentences]
        assert NO_TEXT not in texts
        if EVIDENCE in needs_in_words(method, ask):
            source = unit.source
            assert source.passages or source.document not in ("", NO_TEXT)


def needs_in_words(method: Method[Any], ask: Ask) -> str:
    """As this test knows it, besides the methods: what has to be held against something."""
    parameters = method.parameters
    holds = {
        "nli": True,
        "embedding": True,
        "unieval": getattr(parameters, "dimension", "") == "consistency",
        "prometheus": getattr(parameters, "reference", "") == "document",
        "fingract": getattr(parameters, "errors", "") == "own",
        "vital": getattr(parameters, "verify", "none") != "none"
        and "support" in getattr(ask.payload, "parts", ()),
        "zero_shot": "support" in getattr(ask.payload, "parts", ()),
    }
    return EVIDENCE if holds.get(method.name) else ""


@pytest.mark.parametrize("make", ALL_STUDIES)
def test_a_method_is_refused_with_what_is_missing_or_gets_all_that_it_needs(
    make: Callable[[Path], Study], tmp_path: Path
) -> None:
    study = make(tmp_path)
    scripted = tmp_path / "replies.jsonl"
    scripted.write_text("")
    replies = {"file": str(scripted), "sha256": fingerprint(scripted)}
    for name, parameters in [*WAYS, ("scripted", replies)]:
        judge = judge_of(name, parameters)
        method = method_of(judge)
        try:
            run = plan_run(study=study, judge=judge, subset="")
        except RunRefused as refusal:
            reason = str(refusal)
            assert REASON.fullmatch(reason)
            with pytest.raises(RunRefused) as caught:
                forecast_run(study=study, judge=judge, subset="")
            assert str(caught.value) == reason
        else:
            assert_nothing_is_missing(run, method)
    assert not Call.objects.exclude(status=Call.Status.PLANNED).exists()


def test_every_format_has_its_study() -> None:
    assert {name.split()[0] for name in STUDIES} == set(FORMATS)


# --- What is said ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format_name", "method", "parameters", "reason"),
    [
        ("ratings", "zero_shot", {}, f"zero_shot needs {TEXT}, which all 2 units lack: i/larch, i"),
        ("ratings", "geval", {}, f"geval needs {TEXT}, which all 2 units lack"),
        ("ratings", "embedding", {}, f"embedding needs {TEXT} and {EVIDENCE}, which all 2"),
        ("ratings with texts", "embedding", {}, f"embedding needs {EVIDENCE}, which all 2 units"),
        ("raters", "prometheus", {"rubrics": {"rating": list("12345")}}, f"needs {TEXT}, which"),
        ("ranks", "zero_shot", {}, f"zero_shot needs {TEXT}, which the only unit lacks: 1"),
        ("vitalerrors", "vital", {}, f"vital needs {EVIDENCE}, which the only unit lacks: normal"),
        ("vitalerrors", "zero_shot", {}, f"zero_shot needs {EVIDENCE}, which the only unit"),
    ],
)
def test_a_run_about_nothing_is_refused_and_leaves_nothing(
    format_name: str, method: str, parameters: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    study = STUDIES[format_name](tmp_path)
    with pytest.raises(RunRefused, match=reason):
        plan_run(study=study, judge=judge_of(method, parameters))
    assert not JudgeRun.objects.exists()


def test_a_text_without_a_document_is_judged_without_one(tmp_path: Path) -> None:
    study = ratings_with_texts(tmp_path)
    judge = judge_of("zero_shot", {})
    run = plan_run(study=study, judge=judge)
    question = Question.objects.select_related("unit", "block").earliest("pk")
    prompt = method_of(judge).first_prompt(as_ask(question, replicate=0))
    assert "A claim." in prompt
    assert "Document" not in prompt
    assert run.left_out == {}


def test_without_documents_claims_are_ranked_by_a_judge_that_verifies_none(tmp_path: Path) -> None:
    study = STUDIES["vitalerrors"](tmp_path)
    assert plan_run(study=study, judge=judge_of("vital", {"verify": "none"})).n_calls == 1
    strict = example(Path(settings.BASE_DIR) / "examples" / "importance" / "study.yaml")
    Study.objects.all().delete()
    study = strict(tmp_path)
    with pytest.raises(RunRefused, match="takes no answer without support"):
        plan_run(study=study, judge=judge_of("vital", {"verify": "none"}))


LEFT_OUT = "1 unit is left out for lack of the text to judge: claim-1/alder/1."


def lose_a_text(study: Study) -> None:
    """As if the file of the study did not contain one of its texts."""
    question = study.questions.get(unit__key="claim-1/alder/1", block__key="slider")
    question.payload = {**question.payload, "sentences": [NO_TEXT]}
    question.save(update_fields=["payload"])


def test_a_unit_that_lacks_its_text_is_left_out_and_counted(tmp_path: Path) -> None:
    study = make_study()
    judge = scripted_judge(study, tmp_path)
    lose_a_text(study)
    forecast = forecast_run(study=study, judge=judge)
    assert (forecast.calls, forecast.left_out) == (5, LEFT_OUT)
    run = plan_run(study=study, judge=judge)
    assert (run.n_calls, left_out_sentence(run.left_out)) == (5, LEFT_OUT)
    run.refresh_from_db()
    assert run.left_out == {"units": 1, "examples": ["claim-1/alder/1"], "needs": ["text"]}


def test_commands_and_pages_say_what_is_left_out(
    study: Study, owner: User, client: Client, tmp_path: Path
) -> None:
    scripted_judge(study, tmp_path)
    study.judges = ["parrot"]
    study.save(update_fields=["judges"])
    lose_a_text(study)
    client.force_login(owner)
    form = {"judge": "parrot", "subset": "", "replicates": "1"}
    plan = client.post(reverse("judges:start", args=["small"]), form).content.decode()
    assert f'<dd id="left-out">{LEFT_OUT}</dd>' in plan
    said = StringIO()
    call_command("judge", "small", "parrot", "--dry-run", stdout=said)
    call_command("judge", "small", "parrot", "--wait", stdout=said)
    forecast, summary = said.getvalue().splitlines()
    assert forecast == f"parrot@1: 5 calls, tokens 0 in, 0 out, cost 0.00 USD. {LEFT_OUT}"
    assert summary == f"parrot@1: complete, 5 of 5 calls answered. {LEFT_OUT}"
    page = reverse("judges:run", args=["small", JudgeRun.objects.get().pk])
    assert f'<dd id="left-out">{LEFT_OUT}</dd>' in client.get(page).content.decode()
    again = plan_run(study=study, judge=judge_for(study, "parrot"))
    assert again.reason == "Nothing to do: this judge has answered every other question already."


def test_a_jury_combines_imported_answers_about_texts_that_nobody_has(tmp_path: Path) -> None:
    people, judges = {"a": {"u1": 1, "u2": 5}}, {"j": {"u1": 2, "u2": 4}, "k": {"u1": 3, "u2": 4}}
    files = [write_json(tmp_path / "p.json", people), write_json(tmp_path / "j.json", judges)]
    study = import_files("raters", *files, level="ordinal")
    assert plan_run(study=study, judge=judge_of("jury", {"judges": ["j", "k"]})).n_calls == 2


def test_an_output_never_passes_for_its_own_document(tmp_path: Path) -> None:
    STUDIES["unieval"](tmp_path)
    assert list(Source.objects.order_by("pk").values_list("document", flat=True)) == [
        NO_TEXT,
        "Larch.",
    ]
    assert not any(NO_TEXT in str(item.sentences) for item in Item.objects.all())
