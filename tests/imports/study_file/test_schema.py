from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml

from files.errors import ImportFailure
from imports.study_file.fields import round_fields
from imports.study_file.keys import read_keys
from imports.study_file.schema import StudyFile, read_study_file

MINIMAL = "slug: mills\ntitle: Mills\ntask_type: slider\n"
FULL = """
slug: mills
title: Mills
language: ar
blocks:
  - task_type: citation_recovery
  - {task_type: slider, options: {facet: utility}}
  - {task_type: slider, options: {facet: clarity}}
  - {task_type: slider, options: {facet: beauty}, key: beauty}
instructions: Read.
consent: {version: "2", text: You may leave.}
ethics:
  board: Board
  reference: R-1
  contact: contact@example.org
  controller: University
  lawful_basis: Consent
  retention_days: 365
  minimum_age: 18
verdicts: {"false": Wrong., "half-true": In part.}
items: [a.jsonl, b.jsonl]
setting: sample
overlap: 5
rounds:
  - {name: pilot, counts: false, batch: {normal: 3, positive: 2, negative: 1}, pass: 1.0, \
pay: {base: "1.00", bonus: 1.7, currency: EUR}}
  - {name: main, batch: {normal: 4, positive: 1, negative: 1}, keep: 0.7, min_controls: 6, \
max_batches: 3, expected_minutes: 7}
tips: [Go by what the passage says.]
content_warning: Some claims are false.
debrief: The claims marked false are false.
comprehension:
  - {question: What to choose, options: [Sentences, Words], right: Sentences, explanation: All.}
comprehension_tries: 3
batches: fixed
screenout_pay: "0.30"
minimum_hourly_pay: "12.00"
lease_minutes: 30
max_batches_per_worker: 3
recruitment:
  panel: prolific
  parameters: {session: SESSION}
  completion_code: DONE
  screenout_code: OUT
  return_code: BACK
  invite_qualified: true
judges: [lexical]
conclusions: [{text: A is better., metric: f1, better: A, worse: B}]
stop: {metric: f1, facet: recovery, half_width: 0.05}
seed: 7
"""


def read(folder: Path, text: str) -> StudyFile:
    path = folder / "study.yaml"
    path.write_text(text, encoding="utf-8")
    return read_study_file(path)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(ImportFailure, match=r"^[^\n]+$") as caught:
        read(folder, text)
    return str(caught.value).removeprefix(str(folder / "study.yaml"))


def test_every_key_is_read(tmp_path: Path) -> None:
    study = read(tmp_path, FULL)
    pilot, main = study.rounds
    assert study.block_keys == ("citation_recovery", "slider", "slider-2", "beauty")
    assert (pilot.counts, pilot.batch.positive, pilot.pass_, pilot.keep) == (False, 2, 1.0, None)
    assert pilot.pay.bonus == Decimal("1.70")
    assert (main.counts, main.keep, main.min_controls) == (True, 0.7, 6)
    assert (main.max_batches, main.expected_minutes, main.failing) == (3, 7, "screen_out")
    assert (study.batches, study.screenout_pay) == ("fixed", Decimal("0.30"))
    assert study.comprehension[0].right == "Sentences"
    assert study.recruitment.invite_qualified
    assert study.items == ("a.jsonl", "b.jsonl")
    assert study.consent is not None
    assert study.consent.version == "2"


def test_one_block_may_stand_at_the_top(tmp_path: Path) -> None:
    study = read(tmp_path, MINIMAL + "options: {low: 1, high: 5}\nitems: a.jsonl\n")
    assert study.block_keys == ("slider",)
    assert study.blocks[0].full_options["high"] == 5
    assert study.items == ("a.jsonl",)


@pytest.mark.parametrize(
    ("blocks", "complaint"),
    [
        ("[{task_type: slider}, {task_type: slider, options: {low: 0, high: 10}}]", "[1]|facet"),
        ("[{task_type: slider}, {task_type: likert}, {task_type: likert}]", "[2]|criteria"),
        ("[{task_type: citation_recovery}, {task_type: citation_recovery}]", "[1]|"),
    ],
)
def test_two_blocks_have_no_facet_of_one_name(tmp_path: Path, blocks: str, complaint: str) -> None:
    """Their answers would count as answers to one question."""
    which, option = complaint.split("|")
    field = f": blocks{which}.options{'.' if option else ''}{option}: an earlier block has a facet"
    assert refusal(tmp_path, f"slug: s\ntitle: S\nblocks: {blocks}\n").startswith(field)


def test_a_consent_form_may_be_its_text_alone(tmp_path: Path) -> None:
    consent = read(tmp_path, MINIMAL + "consent: You may leave.\n").consent
    assert consent is not None
    assert (consent.text, consent.version) == ("You may leave.", "1")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("colour: red", ": colour: unknown field"),
        ("ethics: {colour: red}", ": ethics.colour: unknown field"),
        ("rounds: [{name: a, pay: {bse: 1}}]", ": rounds[0].pay.bse: unknown field"),
        ("rounds: [{name: a, pass: 2}]", ": rounds[0].pass: input should be less than"),
        ("rounds: [{name: a, pass_: 1}]", ": rounds[0].pass_: unknown field"),
        ("rounds: [{name: a, pay: {base: -1}}]", ": rounds[0].pay.base: input should be greater"),
        ("rounds: [{name: a, pay: {base: 0.001}}]", ": rounds[0].pay.base: decimal input should"),
        ("rounds: [{name: a}, {name: a}]", ": rounds[1].name: 'a' occurs twice"),
        ("rounds: [{name: a, batch: {normal: 0}}]", ": rounds[0].batch.normal: a batch needs"),
        ("stop: {metric: mean}", ": stop.half_width: give either half_width or excludes"),
        ("stop: {metric: mean, half_width: 1, excludes: 0}", ": stop.half_width: give either"),
        ("stop: {metric: mean, half_width: 0}", ": stop.half_width: input should be greater"),
        ("stop: {metric: pearson, excludes: 0}", ": stop.metric: 'pearson' has no interval"),
        ("stop: {metric: mean, facet: beauty, excludes: 0}", ": stop.facet: 'beauty' is none of"),
        ("stop: {metric: mean, width: 1}", ": stop.width: unknown field"),
        ("overlap: 0", ": overlap: input should be greater"),
        ("overlap: many", ": overlap: input should be a valid integer"),
        ("options: {low: 9, high: 1}", ": blocks[0].options.low: not below high"),
        ("options: {colour: red}", ": blocks[0].options.colour: unknown field"),
        ("blocks: []", ": blocks: given beside task_type"),
        ("verdicts: {false: Wrong.}", ': verdicts: a label such as "false" or "yes" needs quotes'),
        ("title: Again", ":4: YAML: 'title' is given twice"),
        ("instructions: [", ":5: YAML: "),
        ("title2: {a: 1, a: 2}", ":4: YAML: 'a' is given twice"),
    ],
)
def test_a_wrong_key_is_named_with_its_path(tmp_path: Path, line: str, complaint: str) -> None:
    assert refusal(tmp_path, f"{MINIMAL}{line}\n").startswith(complaint)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", ": YAML: not a mapping of keys"),
        ("- a\n", ": YAML: not a mapping of keys"),
        ("title: Mills\ntask_type: slider\n", ": slug: missing"),
        ("slug: Two Mills\ntitle: M\ntask_type: slider\n", ": slug: string should match"),
        ("slug: m\ntitle: M\n", ": blocks: missing"),
        ("slug: m\ntitle: M\ntask_type: quiz\n", ": blocks[0].task_type: no task type 'quiz'"),
        ("a: \x01\n", ": YAML: "),
    ],
)
def test_another_kind_of_file_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    assert refusal(tmp_path, text).startswith(complaint)


def test_the_line_of_a_wrong_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_bytes((MINIMAL + "instructions: café\n").encode("latin-1"))
    with pytest.raises(ImportFailure, match=r"study\.yaml:4: encoding: not UTF-8"):
        read_study_file(path)


def test_two_blocks_may_not_share_a_key(tmp_path: Path) -> None:
    blocks = "[{task_type: slider, key: a}, {task_type: slider, key: a}]"
    assert refusal(tmp_path, f"slug: m\ntitle: M\nblocks: {blocks}\n").startswith(": blocks: a key")


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        (
            "rounds: [{name: pilot, pass: 1.0}, {name: main}]",
            ": rounds[0].pass: can never be met (the batch has no controls)",
        ),
        (
            "rounds: [{name: main, keep: 0.7}]",
            ": rounds[0].keep: can never be met (the batch has no controls)",
        ),
        (
            "rounds: [{name: main, batch: {positive: 1}, keep: 0.7, min_controls: 6}]",
            ": rounds[0].min_controls: 6 can never be reached (a worker meets at most 5 controls",
        ),
        (
            "rounds: [{name: main, batch: {positive: 1}, keep: 0.7, max_batches: 3}]",
            ": rounds[0].min_controls: 4 can never be reached (a worker meets at most 3 controls",
        ),
        (
            "rounds: [{name: warm-up, shows_answers: true}]",
            ": rounds[0].counts: must be false where the right answers are shown",
        ),
        (
            "rounds: [{name: a, pay: {base: 1, currency: EUR}}, {name: b, pay: {bonus: 1}}]",
            ": rounds[1].pay.currency: USD beside EUR (all rounds of a study pay in one currency)",
        ),
        ("rounds: [{name: main, failing: reject}]", ": rounds[0].failing: input should be"),
        ("rounds: [{name: main, maximum: 3}]", ": rounds[0].maximum: unknown field"),
        ("recruitment: {panel: pigeons}", ": recruitment.panel: no such panel: 'pigeons'"),
        ("recruitment: {parameters: {who: X}}", ": recruitment.parameters.who: unknown field"),
        ("recruitment: {frame_origins: [panel]}", ": recruitment.frame_origins: 'panel' is not an"),
        ("recruitment: {completion_url: done}", ": recruitment.completion_url: not an address"),
        (
            "comprehension: [{question: Q, options: [a, b], right: c}]",
            ": comprehension[0].right: 'c' is none of the options",
        ),
        (
            "comprehension: [{question: Q, options: [a, a], right: a}]",
            ": comprehension[0].options: one of them occurs twice",
        ),
        ("batches: frozen", ": batches: input should be 'composed', 'fixed' or 'team'"),
        ("screenout_pay: -1", ": screenout_pay: input should be greater"),
    ],
)
def test_a_rule_that_can_never_hold_is_refused_with_its_key(
    tmp_path: Path, keys: str, reason: str
) -> None:
    assert refusal(tmp_path, MINIMAL + keys + "\n").startswith(reason)


def test_a_language_without_pages_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(MINIMAL + "language: tlh\n", encoding="utf-8")
    with pytest.raises(ImportFailure, match=r"'tlh'; use one of en, ar"):
        read_study_file(file)


def test_a_round_that_pays_nothing_is_in_the_currency_of_the_others(tmp_path: Path) -> None:
    rounds = "rounds: [{name: a}, {name: b, pay: {base: 1, currency: EUR}}]"
    study = read(tmp_path, MINIMAL + rounds + "\n")
    assert [round_fields(part, study.currency)["currency"] for part in study.rounds] == [
        "EUR",
        "EUR",
    ]


RUBRIC = "{task_type: actionability, options: {compared_with: [%s]}}"
QUALITY = (
    "{task_type: likert, options: {criteria: [{key: quality, question: Good, low: 1, high: 5, \
compared_with: [%s]}]}}"
)


@pytest.mark.parametrize("block", [RUBRIC, QUALITY], ids=["actionability", "likert"])
def test_every_number_may_be_compared_with_another_facet_of_the_study(
    tmp_path: Path, block: str
) -> None:
    blocks = f"blocks: [{{task_type: slider}}, {block}]\n"
    study = read(tmp_path, "slug: s\ntitle: S\nitems: a.jsonl\n" + blocks % "utility")
    facets = {facet.name: facet for facet in study.blocks[1].facets}
    compared = facets.get("actionability") or facets["quality"]
    assert compared.compared_with == ("utility",)
    assert compared.is_score
    complaint = refusal(tmp_path, "slug: s\ntitle: S\n" + blocks % "beauty")
    assert "compared_with: there is no other facet 'beauty' in the study" in complaint


def test_a_facet_is_not_compared_with_itself(tmp_path: Path) -> None:
    options = "options: {facet: a, compared_with: [a]}\n"
    assert "no other facet 'a'" in refusal(tmp_path, MINIMAL + options)


def parameters_of_judge(folder: Path, parameters: Any) -> Any:
    """Those of a study file's one judge, as they are read."""
    judge = {"name": "own", "method": "vital", "parameters": parameters}
    block = {"task_type": "slider"}
    path = folder / "study.yaml"
    content = {"slug": "s", "title": "S", "blocks": [block], "judges": [judge]}
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    [described] = read_study_file(path).judges
    assert not isinstance(described, str)
    return described.parameters


def test_a_text_of_a_judge_may_stand_in_a_file_beside_the_study(tmp_path: Path) -> None:
    (tmp_path / "rank.txt").write_text("Rank $claims.\n", encoding="utf-8")
    template = {"rank": {"file": "rank.txt"}, "verify": "V"}
    read = parameters_of_judge(tmp_path, {"template": template, "system": "S"})
    assert read == {"template": {"rank": "Rank $claims.", "verify": "V"}, "system": "S"}
    with pytest.raises(ImportFailure, match=r"gone.txt: file: No such file"):
        parameters_of_judge(tmp_path, {"template": {"file": "gone.txt"}})


def test_a_file_of_replies_is_no_text_of_a_judge(tmp_path: Path) -> None:
    replayed = {"file": "replies.jsonl"}
    assert parameters_of_judge(tmp_path, replayed) == replayed


@pytest.mark.parametrize("escape", [r"\0", r"\x00", r"\u0000", r"\U00000000"])
def test_a_nul_character_is_refused_however_it_is_escaped(tmp_path: Path, escape: str) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(f'slug: s\ntitle: "a{escape}b"\n', encoding="utf-8")
    with pytest.raises(ImportFailure) as caught:
        read_keys(path)
    assert str(caught.value) == f"{path}:2: YAML: a text holds a NUL character"
    # Without quotes, or in single ones, a backslash is a backslash.
    path.write_text(f"slug: s\ntitle: 'a{escape}b'\n", encoding="utf-8")
    assert read_keys(path)["title"] == f"a{escape}b"
