"""Making a study in the browser: from a kind of question, a study or a file."""

import json
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Member, Study, User
from imports.study_file.writing import study_keys, study_yaml
from imports.uploads import kept_upload
from set_up.models import NewStudy
from set_up.new_study.drafts import forget_old_drafts
from tasktypes.registry import TASK_TYPES
from tests.sessions import as_user

pytestmark = pytest.mark.django_db

TABLE = "document;system;summary\n" + "".join(
    f"A report on mill {n}.;{system};{system} says that mill {n} burned.\n"
    for n in range(10)
    for system in ("alder", "birch")
)
TEXTS = {
    "title": "How fluent?",
    "slug": "fluent",
    "instructions": "Read.",
    "consent": "I agree.",
    "overlap": "2",
    "normal": "4",
    "minutes": "5",
    "board": "None",
    "retention_days": "30",
    "go": "make",
}


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def client(owner: User) -> Client:
    return as_user(owner)


def begin(client: Client, kind: str = "likert", **data: Any) -> NewStudy:
    data = data or {"origin": "template", "kind": kind}
    sent = client.post(reverse("desk:new-study"), data)
    assert sent.status_code == 302, sent.content.decode()
    return NewStudy.objects.latest("pk")


def upload(
    client: Client, draft: NewStudy, content: str | bytes = TABLE, name: str = "x.csv"
) -> Any:
    raw = content.encode() if isinstance(content, str) else content
    file = SimpleUploadedFile(name, raw)
    sent = client.post(reverse("desk:new-study-files", args=[draft.pk]), {"file": file})
    draft.refresh_from_db()
    return sent


def step(client: Client, draft: NewStudy, name: str, **data: Any) -> Any:
    return client.post(reverse(f"desk:new-study-{name}", args=[draft.pk]), data)


def test_a_table_becomes_a_study_in_a_few_steps(client: Client, owner: User) -> None:
    draft = begin(client)
    to = upload(client, draft)["Location"]
    assert to == reverse("desk:new-study-reading", args=[draft.pk])
    page = client.get(to).content.decode()
    assert "10 documents × 2 systems" in page
    assert "Rating by criteria (Quality)" in page
    to = client.post(to, {"part": "ask", "kind": ""})["Location"]
    assert to == reverse("desk:new-study-texts", args=[draft.pk])
    words = {"question": "How fluent is it?", "definition": "", "key": "fluency"}
    page = client.post(to, TEXTS | words | {"go": "preview"}).content.decode()
    assert "20 units from the first rows" in page
    unit = client.get(reverse("desk:new-study-unit", args=[draft.pk, 0]))
    assert "How fluent is it?" in unit.content.decode()
    assert "frame-ancestors 'self'" in unit.headers["Content-Security-Policy"]
    made = step(client, draft, "texts", **TEXTS, **words)
    study = Study.objects.get(slug="fluent")
    assert made.url == reverse("desk:set-up", args=[study.slug])
    assert study.state == Study.State.DRAFT
    assert study.members.get().user == owner
    assert study.members.get().role == Member.Role.OWNER
    assert (study.sources.count(), study.units.count()) == (10, 20)
    assert study.blocks.get().facets[0].name == "fluency"
    assert study.ethics == {"board": "None", "retention_days": 30}
    assert not NewStudy.objects.exists()


def test_what_a_template_asks_stays_where_its_files_are_asked_about(client: Client) -> None:
    draft = begin(client)
    upload(client, draft)
    step(client, draft, "texts", **TEXTS | {"go": "keep"}, question="How fluent is it?")
    for kind, question in (("likert", "How fluent is it?"), ("slider", None)):
        step(client, draft, "reading", part="ask", kind=kind)
        draft.refresh_from_db()
        (block,) = draft.keys["blocks"]
        assert block["task_type"] == kind
        criteria = block["options"].get("criteria", [{}])
        assert criteria[0].get("question") == question


def test_the_columns_of_a_study_file_say_how_its_table_is_read(client: Client) -> None:
    text = (
        "slug: s\ntitle: T\ntask_type: likert\ncolumns: {text: system, claim: summary, query: x}\n"
    )
    draft = begin(client, origin="file", file=SimpleUploadedFile("s.yaml", text.encode()))
    upload(client, draft)
    assert draft.reading is not None
    holds = {each.column: each.holds for each in draft.reading.tables[0].columns}
    assert (holds["system"], holds["summary"]) == ("text", "claim")


ANSWERED = (
    "claim,label,output,best\nA mill burned.,true,It burned.,4\nIt rained.,false,It snowed.,1\n"
)


def test_right_answers_and_verdicts_come_from_the_columns_that_hold_them(client: Client) -> None:
    draft = begin(client)
    upload(client, draft, ANSWERED)
    holds = {"claim": "claim", "label": "verdict", "output": "text", "best": "reference"}
    assert draft.reading is not None
    record = draft.reading.model_dump(mode="json", exclude={"answers"})
    for column in record["tables"][0]["columns"]:
        column |= {"holds": holds[column["column"]], "of": "", "at": {}}
    client.post(
        reverse("desk:new-study-reading", args=[draft.pk]),
        {"part": "text", "text-text": json.dumps(record)},
    )
    assert step(client, draft, "texts", **TEXTS).status_code == 302
    study = Study.objects.get()
    assert list(study.sources.order_by("key").values_list("verdict", flat=True)) == [
        "true",
        "false",
    ]
    answers = [
        (question.reference or {})["scores"] for question in study.questions.order_by("unit__key")
    ]
    assert [list(scores.values()) for scores in answers] == [[4], [1]]


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_every_kind_of_question_is_a_template(client: Client, kind: Any) -> None:
    draft = begin(client, kind.slug)
    record = {"source": kind.example.source.model_dump(), "items": []}
    record["items"] = [item.model_dump(exclude_defaults=True) for item in kind.example.items]
    record["unit"] = {"key": "u", "focus": kind.example.focus}
    upload(client, draft, json.dumps(record), "items.jsonl")
    page = client.get(reverse("desk:new-study-texts", args=[draft.pk])).content.decode()
    assert "1 unit from the first rows" in page
    assert step(client, draft, "texts", **TEXTS).status_code == 302
    study = Study.objects.get()
    assert study.instructions == "Read."
    assert kind.instructions


def test_the_file_of_a_made_study_makes_it_again(client: Client, tmp_path: Path) -> None:
    draft = begin(client)
    upload(client, draft)
    step(client, draft, "texts", **TEXTS)
    study = Study.objects.get()
    download = client.get(reverse("desk:study-file", args=["fluent"])).content.decode()
    assert download == study_yaml(study)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (items,) = study.imported["items"].items()
    kept = kept_upload(items[1])
    assert kept is not None
    (folder / items[0]).write_bytes(kept.read_bytes())
    (folder / "study.yaml").write_text(download.replace("slug: fluent", "slug: again"))
    call_command("apply_study", str(folder / "study.yaml"), verbosity=0)
    again = Study.objects.get(slug="again")
    assert study_keys(again) == study_keys(study) | {"slug": "again"}
    assert again.units.count() == 20


def test_a_copy_has_texts_rules_and_uploaded_items(client: Client) -> None:
    draft = begin(client)
    upload(client, draft)
    step(client, draft, "texts", **TEXTS)
    copy = begin(client, origin="copy", study="fluent")
    assert copy.keys["title"] == "Copy of How fluent?"
    assert step(client, copy, "texts", **TEXTS | {"slug": "second"}).status_code == 302
    assert Study.objects.get(slug="second").units.count() == 20


def test_an_uploaded_study_file_is_a_beginning(client: Client) -> None:
    text = "slug: s\ntitle: T\ntask_type: slider\ninstructions: Mine.\nitems: old.jsonl\n"
    draft = begin(client, origin="file", file=SimpleUploadedFile("s.yaml", text.encode()))
    assert draft.keys["blocks"] == [{"task_type": "slider"}]
    assert "items" not in draft.keys
    bad = {"origin": "file", "file": SimpleUploadedFile("s.yaml", b"question: How?: x")}
    page = client.post(reverse("desk:new-study"), bad)
    assert page.status_code == 422
    assert "study.yaml:1: YAML" in page.content.decode()


def test_what_is_typed_stays_where_something_does_not_fit(client: Client) -> None:
    draft = begin(client)
    wrong = TEXTS | {"slug": "Not A Slug!", "overlap": "many"}
    page = step(client, draft, "texts", **wrong)
    assert page.status_code == 422
    for shown in (page, client.get(reverse("desk:new-study-texts", args=[draft.pk]))):
        content = shown.content.decode()
        assert "Not A Slug!" in content
        assert 'value="many"' in content
        assert "How fluent?" in content
    assert reverse("desk:new-study-files", args=[draft.pk]) in client.get("/").content.decode()


def test_rows_that_do_not_fit_are_left_out_only_where_that_is_wanted(client: Client) -> None:
    draft = begin(client)
    upload(client, draft, TABLE + "A report.;alder;\n")
    refused = step(client, draft, "texts", **TEXTS)
    assert refused.status_code == 422
    assert "x.csv:22: summary: empty" in refused.content.decode()
    listed = client.get(reverse("desk:new-study-skipped", args=[draft.pk])).content.decode()
    assert json.loads(listed) == {
        "where": "x.csv:22",
        "field": "summary",
        "reason": "empty",
        "record": ["A report.", "alder", ""],
    }
    assert not Study.objects.exists()
    assert step(client, draft, "texts", **TEXTS, skip_unusable="on").status_code == 302
    assert Study.objects.get().units.count() == 20


@pytest.mark.parametrize(
    ("kind", "content", "said", "n_units"),
    [
        (
            "pairwise",
            "document,summary\nA.,One.\nA.,Two.\nB.,One.\nB.,Two.\nB.,Three.\nC.,One.\nC.,Two.\n",
            "x.csv:4: columns.system: 3 outputs of one source, and nothing tells which two",
            2,
        ),
        (
            "likert",
            "document,system,summary\nA.,alder,One.\n,birch,Two.\nB.,alder,Three.\n",
            "x.csv:3: document: empty (write it in every row",
            2,
        ),
    ],
)
def test_rows_that_cannot_be_asked_about_are_listed(
    client: Client, kind: str, content: str, said: str, n_units: int
) -> None:
    draft = begin(client, kind)
    upload(client, draft, content)
    refused = step(client, draft, "texts", **TEXTS)
    assert refused.status_code == 422
    assert said in unescape(refused.content.decode())
    assert step(client, draft, "texts", **TEXTS, skip_unusable="on").status_code == 302
    assert Study.objects.get().units.count() == n_units


def test_a_list_of_passages_is_numbered(client: Client) -> None:
    draft = begin(client)
    listed = {"claim": "It burned.", "text": "It did.", "evidence": ["Smoke.\nMuch.", "Ash."]}
    upload(client, draft, json.dumps(listed) + "\n", "x.jsonl")
    step(client, draft, "texts", **TEXTS)
    passages = Study.objects.get().sources.get().material.passages
    assert [(each.index, each.text) for each in passages] == [(1, "Smoke.\nMuch."), (2, "Ash.")]


def test_files_without_a_unit_say_why_and_make_no_study(client: Client) -> None:
    draft = begin(client)
    upload(client, draft, "id,document,summary\n1,A mill burned.,\n2,It rained.,\n")
    refused = step(client, draft, "texts", **TEXTS, skip_unusable="on")
    assert refused.status_code == 422
    assert "x.csv:2: summary: empty" in unescape(refused.content.decode())
    assert not Study.objects.exists()


def test_of_a_file_of_judgements_each_text_is_asked_about_once(client: Client) -> None:
    draft = begin(client)
    rows = [f"D{n}.,Text {n}.,{person}" for n in range(4) for person in "xyz"]
    upload(client, draft, "\n".join(["document,summary,annotator", *rows]))
    step(client, draft, "texts", **TEXTS)
    assert Study.objects.get().units.count() == 4


def test_a_name_that_is_taken_is_refused_and_its_study_left_alone(
    client: Client, study: Study
) -> None:
    Member.objects.all().delete()
    page = step(client, begin(client), "texts", **TEXTS | {"slug": study.slug})
    assert page.status_code == 422
    assert "is the name of another study" in page.content.decode()
    assert not study.members.exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "empty"), (b"\x1f\x8b\x08\x00", "x.csv: gzip: damaged"), (b"\0\1\2", "x.csv")],
)
def test_an_upload_that_is_no_table_is_refused(client: Client, content: bytes, words: str) -> None:
    page = upload(client, begin(client), content)
    assert page.status_code == 422
    assert words in page.content.decode()


def test_an_upload_beyond_the_limit_is_refused(client: Client, settings: Any) -> None:
    settings.UPLOAD_MIB = 1
    draft = begin(client)
    page = upload(client, draft, b"document,summary\n" + b"a,b\n" * 2**19)
    assert page.status_code == 413
    assert "Larger than 1 MiB" in page.content.decode()
    assert not draft.names


def test_a_study_file_reads_no_file_of_the_machine(client: Client, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hidden words")
    text = (
        "slug: s\ntitle: T\ntask_type: likert\njudges:\n  - name: j\n    method: zero_shot\n"
        f"    parameters: {{prompt: {{file: {tmp_path}/secret}}}}\n"
    )
    sent = {"origin": "file", "file": SimpleUploadedFile("s.yaml", text.encode())}
    page = client.post(reverse("desk:new-study"), sent)
    assert page.status_code == 422
    assert "a text in a file cannot be named here" in page.content.decode()
    assert not NewStudy.objects.exists()


def test_a_study_file_that_repeats_itself_by_name_is_refused(client: Client) -> None:
    text = b"title: &t [a]\nslug: *t\n"
    bad = {"origin": "file", "file": SimpleUploadedFile("s.yaml", text)}
    page = client.post(reverse("desk:new-study"), bad)
    assert "study.yaml:2: YAML: *t: write it out" in page.content.decode()


def test_a_draft_is_its_owners_alone(client: Client, outsider: User) -> None:
    draft = begin(client)
    upload(client, draft)
    other = as_user(outsider)
    for name in ("files", "reading", "texts"):
        assert other.get(reverse(f"desk:new-study-{name}", args=[draft.pk])).status_code == 404
    assert other.get(reverse("desk:new-study-unit", args=[draft.pk, 0])).status_code == 404
    assert other.get(reverse("desk:new-study-skipped", args=[draft.pk])).status_code == 404
    assert other.post(reverse("desk:drop-new-study", args=[draft.pk])).status_code == 404
    assert Client().get(reverse("desk:new-study")).status_code == 302


def test_nobody_copies_a_study_that_they_may_not_edit(study: Study, colleague: User) -> None:
    page = as_user(colleague).post(
        reverse("desk:new-study"), {"origin": "copy", "study": study.slug}
    )
    assert page.status_code == 422
    assert not NewStudy.objects.exists()


def test_old_drafts_and_unused_uploads_go(client: Client) -> None:
    draft = begin(client)
    upload(client, draft)
    (digest,) = draft.uploads.values()
    assert forget_old_drafts(now=timezone.now() + timedelta(days=13)) == 0
    assert kept_upload(digest)
    assert forget_old_drafts(now=timezone.now() + timedelta(days=15)) == 1
    assert kept_upload(digest) is None


def test_uploads_of_studies_stay(client: Client) -> None:
    draft = begin(client)
    upload(client, draft)
    step(client, draft, "texts", **TEXTS)
    forget_old_drafts(now=timezone.now() + timedelta(days=99))
    assert all(map(kept_upload, Study.objects.get().imported["items"].values()))


@pytest.mark.parametrize("size", [20, 3 * 2**20])
def test_who_may_not_upload_leaves_no_file_behind(
    client: Client, outsider: User, tmp_path: Path, size: int
) -> None:
    draft = begin(client)
    strangers = Client(enforce_csrf_checks=True)
    strangers.get(reverse("desk:sign-in"))
    assert upload(strangers, draft, b"x" * size).status_code == 302
    assert upload(as_user(outsider), draft, b"x" * size).status_code == 404
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("blocks: {a: 1}", "not a list"),
        ("rounds: 3", "not a list"),
        ("columns: [a]", "not a mapping of keys"),
        ("ethics: none", "not a mapping of keys"),
        ("a: " + "[" * 5_000, "YAML"),
    ],
)
def test_a_study_file_of_another_shape_is_refused_in_words(
    client: Client, text: str, said: str
) -> None:
    file = SimpleUploadedFile("study.yaml", f"title: X\n{text}\n".encode())
    sent = client.post(reverse("desk:new-study"), {"origin": "file", "file": file})
    assert sent.status_code == 422
    assert said in sent.content.decode()
    assert not NewStudy.objects.exists()


CHAT = "document;system;summary\n" + "".join(
    f'A report on mill {n}.;alder;"Steps for {n}:\n\n- open it\n- run `mill`"\n' for n in range(4)
)


def test_chat_answers_are_asked_about_and_the_answer_is_the_studys(client: Client) -> None:
    draft = begin(client)
    upload(client, draft, CHAT)
    question = "4 of 4 texts hold lists or code: shown as Markdown?"
    step(client, draft, "reading", go="on")
    page = client.get(reverse("desk:new-study-texts", args=[draft.pk])).content.decode()
    assert question in page
    assert 'name="text_form"' in page
    previewed = step(client, draft, "texts", **TEXTS | {"go": "preview", "text_form": "markdown"})
    assert question not in previewed.content.decode()
    step(client, draft, "texts", **TEXTS | {"text_form": "markdown"})
    study = Study.objects.get(slug="fluent")
    assert study.text_form == "markdown"
    assert study.items.all()[0].text == "Steps for 0:\n\n- open it\n- run `mill`"


def test_a_study_left_plain_is_asked_in_its_set_up(client: Client) -> None:
    draft = begin(client)
    upload(client, draft, CHAT)
    step(client, draft, "reading", go="on")
    step(client, draft, "texts", **TEXTS)
    page = client.get(reverse("desk:set-up", args=["fluent"])).content.decode()
    assert "4 of 4 texts hold lists or code: shown as Markdown?" in page
    assert reverse("desk:set-up-texts", args=["fluent"]) + "#id_text_form" in page
