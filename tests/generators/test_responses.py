"""`generate` on queries: responses by a model, and what becomes of sources without an answer."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study
from generators.kinds import BY_NAME, KINDS, kind_for
from generators.responses import FORMS
from generators.text_statistics import text_statistics
from tests.imports.small_files import import_lines, write_lines

pytestmark = pytest.mark.django_db
PASSAGES = [{"index": 0, "text": "The bridge was built in 1911."}]
BRIDGE = {"key": "bridge", "query": "When was the bridge built?", "passages": PASSAGES,
          "metadata": {"query_kind": "single-answer"}}  # fmt: skip
TOWN = {"key": "town", "query": "What is known of the town?", "document": "It lies on a river."}
BARE = {"key": "bare", "query": "Who lives there?"}
CLAIM = {"key": "mill", "claim": "It burnt.", "passages": PASSAGES}


def study_of(folder: Path, *sources: dict[str, Any]) -> Study:
    block = {"task_type": "importance", "options": {"parts": ["importance", "support"]}}
    records: list[dict[str, Any]] = [{"study": {"title": "Queries", "blocks": [block]}}]
    study = import_lines(folder, [*records, *({"source": s, "items": []} for s in sources)])
    study.state = Study.State.DRAFT
    study.save(update_fields=["state"])
    return study


def generate(folder: Path, replies: dict[str, str], *options: str, step: str = "response") -> str:
    out = StringIO()
    lines = [{"unit": unit, "step": step, "reply": text} for unit, text in replies.items()]
    file = write_lines(folder / "replies.jsonl", lines)
    call_command("generate", "s", "--replies", str(file), *options, stdout=out)
    return out.getvalue()


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> None:
    settings.DATA_DIR = tmp_path / "data"


def test_a_query_gets_a_response_of_each_system_in_the_form_that_its_kind_asks_for(
    tmp_path: Path, settings: Any
) -> None:
    study = study_of(tmp_path, BRIDGE, TOWN)
    for system in ("Alder", "Birch"):
        replies = {"bridge": f"It was built in 1911, says {system}.", "town": "It is on a river."}
        said = generate(
            tmp_path, replies, "--system", system, "--seed", str(len(study.items.all()))
        )
        assert f"{system}: 2 of 2 texts" in said
    keys = {f"{source}/{system}" for source in ("bridge", "town") for system in ("Alder", "Birch")}
    assert set(study.items.values_list("key", flat=True)) == keys
    assert study.units.count() == 4
    question = study.units.get(items__key="bridge/Alder").questions.get()
    assert not question.payload["passages"][0]["selected"]
    files = sorted((settings.DATA_DIR / "generated" / "s").glob("response-*.jsonl"))
    assert len(files) == 2
    prompts = {}
    for line in map(json.loads, files[0].read_text(encoding="utf-8").splitlines()):
        prompts[line["source"]] = line["calls"][0]["request"]["messages"][0]["content"]
    assert FORMS["single-answer"] in prompts["bridge"]
    assert "[0] The bridge was built in 1911." in prompts["bridge"]
    assert "Document: It lies on a river." in prompts["town"]
    assert not any(form in prompts["town"] for form in FORMS.values())
    with pytest.raises(CommandError, match="'Birch' has no texts left to write"):
        generate(tmp_path, {}, "--system", "Birch")


def test_a_query_without_anything_to_answer_it_from_is_left_out_and_said(tmp_path: Path) -> None:
    study = study_of(tmp_path, BRIDGE, BARE)
    said = generate(tmp_path, {"bridge": "In 1911."}, "--system", "Alder")
    assert "1 source with a query but without passages or a document left out" in said
    assert "1 of 1 texts" in said
    with pytest.raises(CommandError, match=r"no texts left to write \(1 source with a query but"):
        generate(tmp_path, {}, "--system", "Alder")
    assert study.items.count() == 1


def test_sources_that_ask_for_two_kinds_are_written_about_by_a_flag(tmp_path: Path) -> None:
    study = study_of(tmp_path, BRIDGE, CLAIM)
    with pytest.raises(CommandError, match="name one: explanation or response"):
        generate(tmp_path, {"bridge": "In 1911."}, "--system", "Alder")
    said = generate(tmp_path, {"bridge": "In 1911."}, "--system", "Alder", "--kind", "response")
    assert "1 source without a query left out" in said
    with pytest.raises(CommandError, match="1 source of which people have selected"):
        generate(tmp_path, {}, "--system", "Alder", "--kind", "explanation")
    assert [item.key for item in study.items.all()] == ["bridge/Alder"]


def test_a_source_with_a_claim_and_a_query_asks_for_an_explanation(tmp_path: Path) -> None:
    study = study_of(tmp_path, BRIDGE | {"claim": "It opened in 1911."})
    assert kind_for(study).name == "explanation"


def test_a_conversation_alone_asks_for_no_text(tmp_path: Path) -> None:
    study = study_of(tmp_path, {"key": "talk", "turns": [{"role": "user", "text": "Hello."}]})
    with pytest.raises(ValueError, match="none has a claim nor a query"):
        kind_for(study)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "the reply is empty"),
        ("I'm sorry, but I can't help with that.", "there is no response"),
        ("答案是第二句。", r"in another script \(cjk\)"),
    ],
)
def test_a_reply_that_is_no_response_is_a_failure_with_its_reason(
    tmp_path: Path, reply: str, reason: str
) -> None:
    study = study_of(tmp_path, BRIDGE)
    with pytest.raises(CommandError, match=f"1 texts are missing: 1 × .*{reason}"):
        generate(tmp_path, {"bridge": reply}, "--system", "Alder")
    assert not study.items.exists()
    # It is asked for again.
    assert "1 of 1 texts" in generate(tmp_path, {"bridge": "In 1911."}, "--system", "Alder")


def test_every_kind_says_what_it_needs_and_names_parameters_of_its_generator() -> None:
    for kind in KINDS:
        assert kind.title
        assert kind.needs
        fields = kind.generator.Parameters.model_fields
        assert {*kind.options, *kind.fixed} <= {*fields}
    assert len(BY_NAME) == len(KINDS)


def test_statistics_count_what_failed_and_what_it_took_by_system(tmp_path: Path) -> None:
    study = study_of(tmp_path, BRIDGE, TOWN)
    with pytest.raises(CommandError, match="1 texts are missing"):
        generate(tmp_path, {"bridge": "In 1911 [0].", "town": ""}, "--system", "Alder")
    [alder] = text_statistics(study)
    assert (alder.texts, alder.words, alder.citations, alder.calls) == (1, 3, 1, 2)
    assert alder.failures == {"the reply is empty": 1}
    assert "Alder: 1 texts; on average 3.00 words" in str(alder)
    out = StringIO()
    call_command("generate", "s", "--statistics", stdout=out)
    assert "failed: 1 × the reply is empty" in out.getvalue()
    with pytest.raises(CommandError, match="are required: --system"):
        call_command("generate", "s", "--model", "m")
