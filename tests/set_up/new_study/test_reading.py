"""New study from files of any form: what the page of their reading shows, takes, and refuses."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Study, User
from files.reading.model import AnswersReading, Axis, ColumnReading, Holds, Reading, TableReading
from files.reading.proposal_parts import Choice, Counts, Proposal, Question
from files.reading.proposals import Stated
from files.reading.reading_files import reading_yaml
from imports.uploads import keep_upload
from jobs import queue
from jobs.models import Job, JobState
from set_up.imports.jobs import IMPORT
from set_up.models import NewStudy
from set_up.new_study import found_files
from set_up.new_study.found_files import found_in
from tests.sessions import as_user

pytestmark = pytest.mark.django_db(transaction=True)
TABLE = b"""doc,text,model,ann1,ann2,when
A mill burned.,It burned.,Alder,4,5,May
A mill burned.,It fell.,Birch,2,1,May
It rained.,It was wet.,alder,5,n/a,June
"""
COLUMNS = (
    ColumnReading(column="doc", holds=Holds.DOCUMENT),
    ColumnReading(column="text", holds=Holds.TEXT),
    ColumnReading(column="model", holds=Holds.SYSTEM),
    ColumnReading(column="ann1", holds=Holds.ANSWER, at={Axis.RATER: "ann1"}),
    ColumnReading(column="ann2", holds=Holds.ANSWER, at={Axis.RATER: "ann2"}),
    ColumnReading(column="when", holds=Holds.KEPT, of="output"),
)
ANSWERS = AnswersReading(criterion="", title="Fluency", low=1, high=5)


def reading(**changes: Any) -> Reading:
    table = TableReading(files=("table.csv",), columns=changes.pop("columns", COLUMNS))
    return Reading(tables=(table,), **{"answers": (ANSWERS,), **changes})


def level_asked(level: str) -> Reading:
    return reading(answers=(ANSWERS.model_copy(update={"level": level}),))


LEVEL = Question(
    key="level",
    text="Are these steps?",
    choices=(
        Choice(key="steps", label="Steps", flags="--level ordinal", reading=level_asked("ordinal")),
        Choice(key="names", label="Names", flags="--level nominal", reading=level_asked("nominal")),
    ),
)
Stub = Callable[[Any, Stated], Proposal]


def proposing(proposal: Reading, *questions: Question) -> Stub:
    """What proposes that reading, and takes the choice that is decided."""

    def stub(_tables: Any, stated: Stated) -> Proposal:
        taken = [
            choice
            for question in questions
            for choice in question.choices
            if stated.decided.get(question.key) == choice.key
        ]
        return Proposal(
            reading=taken[0].reading if taken else proposal,
            sentence="Three texts.",
            counts=Counts(),
            questions=() if taken else questions,
        )

    return stub


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any) -> None:
    """Files are read in this process, so that what proposes their reading can be a test's."""

    def call(function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)

    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setattr(found_files, "call_apart", call)
    monkeypatch.setattr(found_files, "proposed", proposing(reading()))


def upload(client: Client, *files: tuple[str, bytes]) -> Any:
    several = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(reverse("desk:new-study-files"), {"file": several})


@pytest.fixture
def page(owner: User) -> str:
    """The address of the reading of the table."""
    return str(upload(as_user(owner), ("table.csv", TABLE))["Location"])


def text_of(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def fields(number: int = 0, **changes: str) -> dict[str, str]:
    """The form of a table as it stands on the page, with changes."""
    name = f"table{number}"
    standing = {f"{name}-holds{n}": column.holds.value for n, column in enumerate(COLUMNS[:-1])}
    standing |= {f"{name}-holds5": "kept:output"}
    standing |= {f"{name}-at3": "rater ann1", f"{name}-at4": "rater ann2"}
    standing |= {f"{name}-kind": "human", f"{name}-left_out": ""}
    return {"part": name, **standing, **{f"{name}-{key}": text for key, text in changes.items()}}


def test_the_start_page_takes_files_first(owner: User) -> None:
    page = text_of(as_user(owner), reverse("desk:new-study"))
    assert page.index('id="your-files"') < page.index('id="template"')


def test_the_page_says_how_the_files_are_read(owner: User, page: str) -> None:
    text = text_of(as_user(owner), page)
    assert "two raters in columns <code>ann1</code>–<code>ann2</code>" in text
    assert "5 answers" in text
    for shown in ("It burned.", "Birch", "ann2", "What model holds", "criterion fluency"):
        assert shown in text


def test_what_a_column_holds_can_be_changed_and_taken_back(owner: User, page: str) -> None:
    client = as_user(owner)
    client.post(page, fields(holds4="left out"))
    draft = NewStudy.objects.get()
    assert found_in(draft).reading.tables[0].columns[4].holds is Holds.LEFT_OUT
    text = text_of(client, page)
    assert "3 answers" in text
    assert "agreement between people cannot be computed" in text
    client.post(page, {"part": "proposed"})
    draft.refresh_from_db()
    assert found_in(draft).reading == reading()


def test_what_names_of_columns_say_is_typed_in_words(owner: User, page: str) -> None:
    as_user(owner).post(page, fields(at3="criterion how fluent, rater ann, the first"))
    column = found_in(NewStudy.objects.get()).reading.tables[0].columns[3]
    assert column.at == {Axis.CRITERION: "how fluent", Axis.RATER: "ann, the first"}


def test_an_own_column_groups_results_where_that_is_ticked(owner: User, page: str) -> None:
    client = as_user(owner)
    assert "Group results by it" in text_of(client, page)
    client.post(page, fields(holds5="kept:source", groups5="on"))
    column = found_in(NewStudy.objects.get()).reading.tables[0].columns[5]
    assert (column.of, column.groups) == ("source", True)
    client.post(page, {"part": "results", "title": "Mills"})
    assert Study.objects.get(slug="mills").group_by == ["source.when"]


def test_what_tells_of_single_answers_groups_no_results(owner: User, page: str) -> None:
    client = as_user(owner)
    client.post(page, fields(holds5="kept:answer", groups5="on"))
    column = found_in(NewStudy.objects.get()).reading.tables[0].columns[5]
    assert (column.of, column.groups) == ("answer", False)
    assert "Group results by it" not in text_of(client, page)


def test_a_word_is_given_a_meaning_or_is_no_answer(owner: User, page: str) -> None:
    client = as_user(owner)
    words = list(
        found_files.look(NewStudy.objects.get(), found_in(NewStudy.objects.get())).read.words[""]
    )
    typed = {"part": "answers0", "answers0-title": "Fluency", "answers0-form": "scale"}
    typed |= {"answers0-low": "1", "answers0-high": "5"}
    typed[f"answers0-none{words.index('n/a')}"] = "on"
    typed[f"answers0-means{words.index('2')}"] = "3"
    client.post(page, typed)
    assert found_in(NewStudy.objects.get()).reading.answers[0].words == {"n/a": None, "2": 3.0}


def test_a_question_is_decided_and_keeps_what_was_changed(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_files, "proposed", proposing(reading(), LEVEL))
    client = as_user(owner)
    page = upload(client, ("table.csv", TABLE))["Location"]
    assert "Are these steps?" in text_of(client, page)
    assert "Open questions about the files" in text_of(client, page)
    refused = client.post(page, {"part": "results", "title": "Mills"})
    assert (refused.status_code, Study.objects.count()) == (422, 0)
    assert "Answer the questions first." in refused.content.decode()
    client.post(page, fields(holds5="left out"))
    for choice, level in (("steps", "ordinal"), ("names", "nominal")):
        client.post(page, {"part": "questions", "question-level": choice})
        found = found_in(NewStudy.objects.get())
        assert found.reading.answers[0].level == level
        assert found.reading.tables[0].columns[5].holds is Holds.LEFT_OUT
        assert f'value="{choice}" id="question-level-' in text_of(client, page)
        assert "Answered questions about the files" in text_of(client, page)


def test_spellings_of_a_system_are_joined_by_one_click(owner: User, page: str) -> None:
    client = as_user(owner)
    assert "Join these systems" in text_of(client, page)
    client.post(page, {"part": "spellings"})
    assert found_in(NewStudy.objects.get()).reading.systems == {"alder": "Alder"}
    assert "Join these systems" not in text_of(client, page)


def test_nothing_is_made_of_files_without_a_row(owner: User, page: str) -> None:
    client = as_user(owner)
    client.post(page, fields(holds3="left out", holds4="left out", holds1="left out"))
    refused = client.post(page, {"part": "results", "title": "Mills"})
    assert (refused.status_code, Study.objects.count()) == (422, 0)


def test_texts_alone_are_asked_about(owner: User, page: str) -> None:
    client = as_user(owner)
    to = client.post(page, {"part": "ask", "kind": "slider"})
    assert to["Location"] == reverse("desk:new-study-texts", args=[NewStudy.objects.get().pk])
    assert "3 units from the first rows" in text_of(client, to["Location"])


def test_files_that_cannot_be_read_are_refused_and_removed(
    owner: User, settings: Any, tmp_path: Path
) -> None:
    client = as_user(owner)
    for files, said in (
        ([("empty.csv", b"")], "empty"),
        ([("a.csv", TABLE), ("a.csv", TABLE)], "Two files of one name"),
    ):
        answer = upload(client, *files)
        assert (answer.status_code, NewStudy.objects.count()) == (422, 0)
        assert said in answer.content.decode()
    assert list((tmp_path / "media/uploads").iterdir()) == []


def test_nobody_else_finds_the_page(outsider: User, colleague: User, page: str) -> None:
    for other in (outsider, colleague):
        assert as_user(other).get(page).status_code == 404
        assert as_user(other).post(page, {"part": "proposed"}).status_code == 404
    assert Client().get(page).status_code == 302


def test_only_those_who_may_make_studies_upload(colleague: User, settings: Any) -> None:
    assert upload(Client(), ("table.csv", TABLE)).status_code == 302
    settings.STUDY_MAKERS = "permitted"
    assert upload(as_user(colleague), ("table.csv", TABLE)).status_code == 403
    assert NewStudy.objects.count() == 0


def test_a_script_gets_the_part_that_changes(owner: User, page: str) -> None:
    answer = as_user(owner).post(page, fields(holds4="left out"), headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert text.lstrip().startswith('<div id="reading"')
    assert "3 answers" in text


def test_an_import_that_made_nothing_says_why_on_the_page(owner: User, page: str) -> None:
    parameters = {"draft": NewStudy.objects.get().pk}
    queue.ask(IMPORT, by=owner, parameters=parameters, send=False)
    Job.objects.update(state=JobState.FAILED, reason="Most cells are no answer.")
    assert "Most cells are no answer." in text_of(as_user(owner), page)


def test_the_study_is_made_in_one_step_and_can_be_looked_at(owner: User, page: str) -> None:
    client = as_user(owner)
    made = client.post(page, {"part": "results", "title": "Mills"})
    study = Study.objects.get(slug="mills")
    assert study.imported["counts"]["answers"] == 5
    assert reverse("results:summary", args=["mills"]) in text_of(client, made["Location"])
    assert (NewStudy.objects.count(), client.get(page).status_code) == (0, 404)


def test_the_queries_of_the_page_do_not_grow(owner: User) -> None:
    client, counted = as_user(owner), []
    for rows in (TABLE, TABLE + b"It snowed.,It was cold.,Birch,3,3,July\n" * 50):
        address = upload(client, ("table.csv", rows))["Location"]
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        counted.append(len(queries))
    assert counted[0] == counted[1] <= 8


def test_the_whole_reading_is_changed_as_text(owner: User, page: str) -> None:
    client = as_user(owner)
    written = reading_yaml(reading(repeated="last"))
    client.post(page, {"part": "text", "text-text": written})
    assert found_in(NewStudy.objects.get()).reading == reading(repeated="last")
    for text, said in (("tables: 5", "tables"), ("- a", "not an object"), ("a: [", "reading")):
        refused = client.post(page, {"part": "text", "text-text": text})
        assert refused.status_code == 422
        assert said in refused.content.decode()
    assert found_in(NewStudy.objects.get()).reading == reading(repeated="last")


def test_an_id_of_two_texts_is_told_before_the_import(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = (*COLUMNS[:5], ColumnReading(column="when", holds=Holds.SOURCE))
    monkeypatch.setattr(found_files, "proposed", proposing(reading(columns=columns)))
    client = as_user(owner)
    other = TABLE.replace(b"June", b"May")
    page = upload(client, ("table.csv", other))["Location"]
    assert "has another document at" in text_of(client, page)
    assert client.post(page, {"part": "results", "title": "Mills"}).status_code == 422
    assert Study.objects.count() == 0


def test_no_study_is_offered_while_a_question_is_open(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_files, "proposed", proposing(reading(), LEVEL))
    client = as_user(owner)
    page = upload(client, ("table.csv", TABLE))["Location"]
    assert "Create the study</button>" not in text_of(client, page)
    client.post(page, {"part": "questions", "question-level": "steps"})
    assert "Create the study</button>" in text_of(client, page)


def test_why_nothing_can_be_read_names_the_file_as_it_was_uploaded(owner: User, page: str) -> None:
    client = as_user(owner)
    told = reading(columns=(*COLUMNS[:5], ColumnReading(column="when", holds=Holds.SOURCE)))
    found = NewStudy.objects.get()
    found_files.keep_found(found, found_in(found), reading=told)
    found.uploads = {"table.csv": keep_upload([TABLE.replace(b"June", b"May")])}
    found.save()
    said = text_of(client, page)
    assert "table.csv:4: source: &#x27;May&#x27; has another document at table.csv:2" in said
