"""`generate`: texts written by a model come into the study, with all that led to them kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Item, Question, Study, Unit
from generators.explanations import Selected
from judges.methods.conversation.reasons import without_reason
from tests.imports.small_files import write_lines
from tests.imports.tables import import_files, write_table

pytestmark = pytest.mark.django_db
PASSAGES = [
    {"index": i, "text": text}
    for i, text in enumerate(
        ["The mill stood empty.", "It flooded in May.", "The roof held.", "No fire was reported."]
    )
]
TEXT = "The claim is false. The mill flooded in May [1]. Nobody reported a fire [3]."


@pytest.fixture
def study(tmp_path: Path, settings: Any) -> Study:
    """Two claims with chains of evidence and nothing written about them yet."""
    settings.DATA_DIR = tmp_path / "data"
    records: list[dict[str, Any]] = [{"study": {"title": "A", "task_type": "citation_recovery"}}]
    for number in range(2):
        source = {
            "key": f"mill-{number}",
            "claim": f"Mill {number} burnt down.",
            "verdict": "false",
            "passages": PASSAGES,
            "chains": [[1, 3]],
        }
        item = {"key": f"mill-{number}/old", "system": "Old", "text": "It is false [0]."}
        records.append({"source": source, "items": [item]})
    made = import_files("jsonl", write_lines(tmp_path / "study.jsonl", records))
    made.state = Study.State.DRAFT
    made.save(update_fields=["state"])
    return made


def lines(step: str, *replies: str) -> list[dict[str, Any]]:
    return [
        {"unit": f"mill-{number}", "step": step, "reply": reply, "cost": "0.01",
         "tokens_in": 100, "tokens_out": 20}
        for number, reply in enumerate(replies)
    ]  # fmt: skip


def generate(folder: Path, replies: list[dict[str, Any]], *options: str, **more: Any) -> str:
    from io import StringIO

    out = StringIO()
    file = write_lines(folder / "replies.jsonl", replies)
    call_command("generate", "s", "--system", "Larch", "--replies", str(file), *options,
                 stdout=out, **more)  # fmt: skip
    return out.getvalue()


def journal(settings: Any) -> list[dict[str, Any]]:
    files = list((settings.DATA_DIR / "generated" / "s").glob("*.jsonl"))
    assert len(files) == 1
    return [json.loads(line) for line in files[0].read_text(encoding="utf-8").splitlines()]


def test_an_explanation_becomes_an_item_with_its_units(
    study: Study, tmp_path: Path, settings: Any
) -> None:
    said = generate(tmp_path, lines("explanation", TEXT, TEXT), "--family", "conifer")
    assert "Larch: 2 of 2 texts, 0.0200 USD" in said
    item = study.items.get(key="mill-0/Larch/human")
    assert (item.system, item.system_family, item.evidence_source) == ("Larch", "conifer", "human")
    assert [one["citations"] for one in item.sentences] == [[], [1], [3]]
    keys = study.units.filter(items__system="Larch").values_list("key", flat=True)
    assert set(keys) >= {"mill-0/Larch/human/1", "mill-0/Larch/human/3"}
    question = Question.objects.get(unit__key="mill-0/Larch/human/1")
    selected = [p["index"] for p in question.payload["passages"] if p["selected"]]
    assert selected == [1, 3]
    kept = journal(settings)
    assert kept[0]["cited"] == kept[0]["written"]["given"] == [1, 3]
    prompt = kept[0]["calls"][0]["request"]["messages"][0]["content"]
    assert "[1] It flooded in May." in prompt
    assert "The roof held" not in prompt
    assert kept[0]["lengths"] == {
        "claim_words": 4, "evidence_passages": 2, "evidence_words": 8, "text_words": 15,
    }  # fmt: skip


def test_what_led_to_the_texts_stands_in_the_study(study: Study, tmp_path: Path) -> None:
    generate(tmp_path, lines("explanation", TEXT, TEXT), "--seed", "5")
    study.refresh_from_db()
    (made,) = study.imported["generated"]
    assert (made["system"], made["texts"], made["seed"]) == ("Larch", 2, 5)
    assert made["parameters"]["temperature"] == 0.0
    assert len(made["prompt"]["hash"]) == len(made["file"]["sha256"]) == 64
    assert made["mean_lengths"]["text_words"] == 15
    assert study.imported["counts"]["items"] == 4
    assert study.imported["format"] == "jsonl"


def test_the_model_selects_the_evidence_itself_where_that_is_asked_for(
    study: Study, tmp_path: Path, settings: Any
) -> None:
    chosen = '{"passages": [3], "justification": "It settles the matter."}'
    replies = lines("evidence", chosen, chosen) + lines("explanation", TEXT, TEXT)
    generate(tmp_path, replies, "--evidence", "machine")
    assert study.items.get(key="mill-1/Larch/machine").evidence_source == "machine"
    kept = journal(settings)[0]
    assert [call["step"] for call in kept["calls"]] == ["evidence", "explanation"]
    assert kept["written"]["justification"] == "It settles the matter."
    assert kept["written"]["given"] == [3]
    # What is cited beyond what was given is kept as it is, and can be counted.
    assert kept["cited"] == [1, 3]
    assert "The roof held" in kept["calls"][0]["request"]["messages"][0]["content"]


def test_a_text_that_fails_is_left_out_with_its_reason_and_written_the_next_time(
    study: Study, tmp_path: Path, settings: Any
) -> None:
    with pytest.raises(CommandError, match="1 texts are missing: 1 × the reply is empty"):
        generate(tmp_path, lines("explanation", TEXT, " "))
    assert set(study.items.filter(system="Larch").values_list("key", flat=True)) == {
        "mill-0/Larch/human"
    }
    said = generate(tmp_path, lines("explanation", "Not asked again.", TEXT))
    assert "1 of 1 texts" in said
    assert study.items.filter(system="Larch").count() == 2
    with pytest.raises(CommandError, match="has no texts left to write"):
        generate(tmp_path, lines("explanation", TEXT, TEXT))


def test_what_a_killed_run_has_paid_for_is_taken_in_by_the_next(
    study: Study, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from generators import generation

    def killed(*args: object) -> int:
        raise KeyboardInterrupt

    replies = lines("explanation", TEXT, TEXT)
    with monkeypatch.context() as patched:
        patched.setattr(generation, "_import", killed)
        with pytest.raises(KeyboardInterrupt):
            generate(tmp_path, replies)
    assert not study.items.filter(system="Larch").exists()
    (file,) = (settings.DATA_DIR / "generated" / "s").glob("*.jsonl")
    file.write_text(file.read_text(encoding="utf-8") + '{"item": "half', encoding="utf-8")
    assert "2 of 2 texts\n" in generate(tmp_path, replies)
    assert study.items.filter(system="Larch").count() == 2


def test_nothing_new_is_begun_once_the_cap_is_reached(study: Study, tmp_path: Path) -> None:
    replies = lines("explanation", TEXT, TEXT)
    with pytest.raises(CommandError, match="2 texts are missing: The cap of"):
        generate(tmp_path, replies, "--max-cost", "0")
    assert not study.items.filter(system="Larch").exists()


def test_limit_and_dry_run(study: Study, tmp_path: Path) -> None:
    replies = lines("explanation", TEXT, TEXT)
    said = generate(tmp_path, replies, "--dry-run", "--limit", "1")
    assert said.startswith("Larch: 1 texts, 1 calls, tokens ")
    assert not study.items.filter(system="Larch").exists()
    assert "1 of 1 texts" in generate(tmp_path, replies, "--limit", "1")


@pytest.mark.parametrize(
    ("condition", "variant"),
    [("missing", "The claim is false [3]."), ("wrong", "The mill burnt in June [1].")],
)
def test_a_variant_is_an_item_that_knows_its_original(
    study: Study, tmp_path: Path, condition: str, variant: str
) -> None:
    reply = json.dumps({"statement": "It flooded in May.", "text": variant})
    replies = [{"unit": f"mill-{n}/old", "step": "variant", "reply": reply} for n in range(2)]
    file = write_lines(tmp_path / "replies.jsonl", replies)
    options = ["s", "--system", "Old", "--replies", str(file), "--perturb", condition]
    call_command("generate", *options, verbosity=0)
    made = Item.objects.get(key=f"mill-0/old/{condition}")
    assert (made.condition, made.system) == (condition, "Old")
    assert made.perturbed_from is not None
    assert made.perturbed_from.key == "mill-0/old"
    assert Unit.objects.filter(items=made).exists()
    with pytest.raises(CommandError, match="no texts left"):
        call_command("generate", *options)


def test_no_variant_is_paid_for_of_a_text_that_an_import_does_not_hold(tmp_path: Path) -> None:
    table = write_table(tmp_path / "t.csv", "worker,item,system,rating", "w,i,Old,1", "w,j,Old,5")
    import_files("ratings", table, slug="bare")
    file = write_lines(tmp_path / "replies.jsonl", [])
    options = ["bare", "--system", "Old", "--replies", str(file), "--perturb", "wrong"]
    with pytest.raises(CommandError, match="2 × text: the imported file does not contain it"):
        call_command("generate", *options, verbosity=0)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["none", "--system", "X", "--model", "m"], "no study 'none'"),
        (["s", "--system", "X"], "model: name the model to ask"),
        (["s", "--system", "X", "--replies", "nowhere.jsonl"], "replies: there is no file"),
        (
            ["s", "--system", "X", "--model", "m", "--perturb", "wrong"],
            "has no texts left to write",
        ),
        (["s", "--system", "X", "--model", "m", "--temperature", "9"], "temperature: "),
        (["s", "--system", "X", "--model", "m", "--endpoint", "moon"], "moon"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    study: Study, options: list[str], reason: str
) -> None:
    with pytest.raises(CommandError, match=reason) as caught:
        call_command("generate", *options)
    assert "\n" not in str(caught.value)


def test_an_open_study_takes_no_unread_texts(study: Study, tmp_path: Path) -> None:
    study.state = Study.State.OPEN
    study.save(update_fields=["state"])
    with pytest.raises(CommandError, match="the study is open"):
        generate(tmp_path, lines("explanation", TEXT, TEXT))


def test_prompts_of_ones_own_come_from_files_and_a_list_of_reasons_is_read(
    study: Study, tmp_path: Path
) -> None:
    (tmp_path / "evidence.txt").write_text(
        "Pick some reasons.\n$reasons_with_colons\nClaim: $claim Veracity: $verdict\nExtracted:\n",
        encoding="utf-8",
    )
    (tmp_path / "explanation.txt").write_text("Reasons:\n$reasons\nExplain.", encoding="utf-8")
    (tmp_path / "system.txt").write_text("You are a reporter.", encoding="utf-8")
    picked = "Extracted Reasons: [3,1]\nJustification: Reason [1] settles it."
    replies = lines("evidence", picked, "None of them.") + lines("explanation", TEXT, TEXT)
    with pytest.raises(CommandError, match="does not begin with numbers in brackets"):
        generate(
            tmp_path,
            replies,
            *("--evidence", "machine", "--reply", "list"),
            *("--template", f"evidence={tmp_path / 'evidence.txt'}"),
            *("--template", f"explanation={tmp_path / 'explanation.txt'}"),
            *("--system-message", str(tmp_path / "system.txt")),
        )
    [item] = Item.objects.filter(study=study, system="Larch")
    assert item.source.key == "mill-0"
    [file] = (tmp_path / "data" / "generated").rglob("*.jsonl")
    text = file.read_text(encoding="utf-8")
    assert "Reason [3]: No fire was reported." in text
    assert "Reason [3] No fire was reported.\\nExplain." in text
    assert "You are a reporter." in text
    assert "Reason [1] settles it." in text


def test_a_justification_of_evidence_is_not_taken_for_a_reason() -> None:
    selected = {"justification": "J", "reason": "R", "passages": [1]}
    reason, rest = without_reason(json.dumps(selected), Selected)
    assert reason == "R"
    assert json.loads(rest) == {"justification": "J", "passages": [1]}


def test_a_template_with_a_slot_that_there_is_not_is_refused_before_anything_is_asked(
    study: Study, tmp_path: Path
) -> None:
    own = tmp_path / "own.txt"
    own.write_text("To $clam.", encoding="utf-8")
    with pytest.raises(CommandError, match=r"template: there is no slot \$clam \(known: \$claim"):
        generate(tmp_path, [], "--template", str(own))
    with pytest.raises(CommandError, match=r"gone\.txt"):
        generate(tmp_path, [], "--template", "evidence=gone.txt")


def test_sources_of_controls_get_no_texts(study: Study, tmp_path: Path) -> None:
    control = study.units.first()
    assert control is not None
    study.units.filter(source=control.source).exclude(pk=control.pk).delete()
    study.units.filter(pk=control.pk).update(role=Unit.Role.POSITIVE)
    said = generate(tmp_path, lines("explanation", TEXT, TEXT))
    assert "1 source of controls left out" in said
    assert "Larch: 1 of 1 texts" in said
    assert not study.items.filter(system="Larch", source=control.source).exists()


def test_an_explanation_that_cites_no_passage_is_a_failure_unless_citations_are_free(
    study: Study, tmp_path: Path
) -> None:
    replies = lines("explanation", TEXT, "It is false. No passage 9 is cited [9].")
    with pytest.raises(CommandError, match="1 × the explanation cites none of its passages"):
        generate(tmp_path, replies)
    assert study.items.filter(system="Larch").count() == 1
    assert "1 of 1 texts" in generate(tmp_path, replies, "--citations", "free")
