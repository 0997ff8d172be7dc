"""The forms of the set-up: each changes keys of the study file, and nothing else."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.entry.consent import consent_hash
from annotation.models import Member, Study, User
from desk.monitoring.notifications.forms import RulesForm
from imports.study_file.judge_entries import entry_name
from imports.study_file.schema import StudyFile
from imports.study_file.study_fields import study_fields
from imports.study_file.writing import study_keys
from set_up.steps.keys_forms import (
    EthicsForm,
    IntroductionForm,
    MethodForm,
    RecruitmentForm,
    TextsForm,
)
from set_up.steps.questions import QuestionsForm
from set_up.steps.rounds import RoundsForm
from tasktypes.registry import TASK_TYPES
from tests.annotation.workers import lease, newcomer
from tests.cast import join
from tests.sessions import as_user
from tests.set_up.steps.studies import Fields, fields_of, mills, send

pytestmark = pytest.mark.django_db
FORMS = [
    *("desk:set-up-texts", "desk:set-up-questions", "desk:set-up-rounds"),
    *("desk:set-up-recruitment", "desk:set-up-ethics"),
    *("desk:set-up-introduction", "desk:set-up-method"),
]
PAGES = [*FORMS, "desk:controls", "desk:set-up-table"]


@pytest.fixture(autouse=True)
def _uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def made(owner: User) -> Study:
    return mills(owner)


@pytest.fixture
def client(owner: User) -> Client:
    return as_user(owner)


@pytest.mark.parametrize("name", PAGES)
def test_only_editors_set_a_study_up(
    made: Study, outsider: User, colleague: User, name: str
) -> None:
    join(made, colleague, Member.Role.VIEWER)
    address = reverse(name, args=[made.slug])
    assert as_user(outsider).get(address).status_code == 404
    assert as_user(colleague).get(address, follow=True).status_code == 403
    assert Client().get(address).status_code == 302


@pytest.mark.parametrize("name", FORMS)
def test_a_form_that_is_saved_as_it_stands_changes_nothing_else(
    made: Study, client: Client, name: str
) -> None:
    first = send(client, name, made.slug)
    assert first.status_code == 302, first.content.decode()
    saved = study_keys(Study.objects.get())
    assert send(client, name, made.slug).status_code == 302
    assert study_keys(Study.objects.get()) == saved
    others = {"slug", "title", "items", "columns", "overlap"}
    assert {key: saved[key] for key in others} == {
        key: value for key, value in study_keys(made).items() if key in others
    }
    assert made.units.count() == 20


@pytest.mark.parametrize("name", PAGES)
def test_pages_take_few_queries(
    made: Study, client: Client, name: str, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(45):
        client.get(reverse(name, args=[made.slug]))


def test_texts_are_suggested_and_then_those_of_the_researcher(made: Study, client: Client) -> None:
    fields = fields_of(client, "desk:set-up-texts", made.slug)
    assert "choose the point of each scale" in fields["instructions"][0]
    assert fields["consent"][0]
    assert fields["debrief"][0]
    made.refresh_from_db()
    assert made.instructions == ""
    typed = "# Read\r\n\r\n**Slowly.**"
    assert send(client, "desk:set-up-texts", made.slug, instructions=typed).status_code == 302
    made.refresh_from_db()
    assert made.instructions == "# Read\n\n**Slowly.**"
    before = consent_hash(made)
    send(client, "desk:set-up-texts", made.slug, consent="Other.", consent_version="2")
    made.refresh_from_db()
    assert (made.consent_text, made.consent_version) == ("Other.", "2")
    assert consent_hash(made) != before


def test_texts_are_previewed_with_and_without_scripts(made: Study, client: Client) -> None:
    typed = "Read **this** <script>alert(1)</script>"
    part = client.post(reverse("desk:texts-preview"), {"instructions": typed})
    assert "<strong>this</strong>" in part.content.decode()
    assert "<script>" not in part.content.decode()
    page = send(client, "desk:set-up-texts", made.slug, go="preview", instructions=typed)
    assert page.status_code == 200
    assert "<strong>this</strong>" in page.content.decode()
    made.refresh_from_db()
    assert made.instructions == ""
    assert Client().post(reverse("desk:texts-preview"), {}).status_code == 302


def test_what_is_typed_stays_where_it_does_not_fit(made: Study, client: Client) -> None:
    page = send(client, "desk:set-up-ethics", made.slug, board="B", retention_days="soon")
    assert page.status_code == 422
    assert 'value="soon"' in page.content.decode()
    assert 'value="B"' in page.content.decode()
    made.refresh_from_db()
    assert made.ethics == {}


def test_the_second_of_two_editors_of_one_form_sees_the_conflict(
    made: Study, client: Client
) -> None:
    stale = fields_of(client, "desk:set-up-ethics", made.slug)["version"]
    send(client, "desk:set-up-ethics", made.slug, board="First")
    page = send(client, "desk:set-up-ethics", made.slug, board="Second", version=stale)
    assert page.status_code == 409
    assert "Somebody else changed this part" in page.content.decode()
    assert "+  board: Second" in page.content.decode()
    made.refresh_from_db()
    assert made.ethics["board"] == "First"
    # Another form is no conflict.
    stale = fields_of(client, "desk:set-up-texts", made.slug)["version"]
    send(client, "desk:set-up-ethics", made.slug, board="Third")
    assert send(client, "desk:set-up-texts", made.slug, version=stale).status_code == 302


def test_what_changes_is_shown_first_where_people_are_at_work(made: Study, client: Client) -> None:
    Study.objects.update(state=Study.State.CLOSED)
    page = send(client, "desk:set-up-ethics", made.slug, board="New board")
    assert page.status_code == 200
    assert "New board" in page.content.decode()
    assert "What changes" in page.content.decode()
    made.refresh_from_db()
    assert made.ethics == {}
    sent = send(client, "desk:set-up-ethics", made.slug, go="apply", board="New board")
    assert sent.status_code == 302
    made.refresh_from_db()
    assert made.ethics["board"] == "New board"


def test_recruitment_is_that_of_a_panel(made: Study, client: Client) -> None:
    changed = {"panel": "prolific", "completion_code": "C1", "lease_minutes": "90"}
    changed["workspace"] = "lab"
    assert send(client, "desk:set-up-recruitment", made.slug, **changed).status_code == 302
    made.refresh_from_db()
    assert made.recruitment == {
        "panel": "prolific",
        "completion_code": "C1",
        "workspace": "lab",
    }
    assert made.lease_minutes == 90
    page = send(client, "desk:set-up-recruitment", made.slug, completion_url="no link")
    assert page.status_code == 422
    assert "Not an address such as" in page.content.decode()


def test_another_table_takes_the_place_of_the_first(made: Study, client: Client) -> None:
    address = reverse("desk:set-up-table", args=[made.slug])
    sent = client.post(address, {"file": SimpleUploadedFile("u.csv", b"text,claim\nA.,B.\n")})
    assert sent.status_code == 302, sent.content.decode()
    assert made.units.count() == 1
    assert list(Study.objects.get().imported["items"]) == ["outputs.jsonl"]
    bad = client.post(address, {"file": SimpleUploadedFile("v.csv", b"x,y\n1,2\n")})
    assert bad.status_code == 422
    assert made.units.count() == 1


def test_a_table_cannot_change_under_people_at_work(study: Study, owner: User) -> None:
    newcomer_batch = lease(newcomer(study))
    address, client = reverse("desk:set-up-table", args=[study.slug]), as_user(owner)
    assert "Units cannot change any more" in client.get(address).content.decode()
    client.post(address, {"file": SimpleUploadedFile("u.csv", b"text,claim\nA.,B.\n")})
    assert newcomer_batch.assignment_units.exists()


def test_a_free_text_and_a_questionnaire_are_typed_and_go_with_their_wording(
    made: Study, client: Client
) -> None:
    name, key = "desk:set-up-introduction", "k.questionnaire.questions"
    typed = {"k.free_text.question": "Why?", "k.free_text.kind": "post_edit"}
    added = send(client, name, made.slug, go=f"add:{key}", **typed)
    assert f'name="{key}.0.options"' in added.content.decode()
    rows = {f"{key}.count": "1", f"{key}.0.question": "Your English?", f"{key}.0.kind": "choice"}
    rows |= {f"{key}.0.options": "only this one", f"{key}.0.asked": "after"}
    refused = send(client, name, made.slug, **typed, **rows).content.decode()
    assert "A choice needs 2 to 40, not 1" in refused
    rows[f"{key}.0.options"] = "first language\nother"
    assert (
        "Say what the answers are for"
        in send(client, name, made.slug, **typed, **rows).content.decode()
    )
    why = {"k.questionnaire.purpose": "To describe who answered."}
    assert send(client, name, made.slug, **typed, **rows, **why).status_code == 302
    made.refresh_from_db()
    assert made.free_text["kind"] == "post_edit"
    assert made.questionnaire["questions"][0]["options"] == ["first language", "other"]
    # Without its wording the text is gone, whatever else stands there.
    assert send(client, name, made.slug, k__free_text__question="").status_code == 302
    made.refresh_from_db()
    assert (made.free_text, made.questionnaire["purpose"]) == ({}, "To describe who answered.")


# --- Rounds -------------------------------------------------------------------------------------


def test_rounds_are_added_and_removed_without_scripts(made: Study, client: Client) -> None:
    page = send(client, "desk:set-up-rounds", made.slug, go="add:round", r0__name="pilot")
    content = page.content.decode()
    assert page.status_code == 200
    assert 'value="pilot"' in content
    assert 'name="r1-name"' in content
    data: dict[str, Any] = {**fields_of(client, "desk:set-up-rounds", made.slug)}
    data |= {"rounds": "2", "go": "save"}
    data |= {"r0-name": "pilot", "r0-expected_minutes": "3"}
    second = {name.replace("r0-", "r1-"): value for name, value in data.items()}
    data |= second | {"r1-name": "main", "r1-base": "2.50"}
    assert client.post(reverse("desk:set-up-rounds", args=[made.slug]), data).status_code == 302
    assert [row.name for row in made.rounds.order_by("position")] == ["pilot", "main"]
    assert str(made.rounds.get(name="main").base_pay) == "2.50"
    removed = send(client, "desk:set-up-rounds", made.slug, go="remove:round.0").content.decode()
    assert 'name="r1-name"' not in removed
    assert 'value="main"' in removed


def test_the_cost_of_typed_rounds_is_worked_out(made: Study, client: Client) -> None:
    typed = {"r0__base": "1.00", "r0__bonus": "0.50", "minimum_hourly_pay": "12"}
    data: dict[str, Any] = {**fields_of(client, "desk:set-up-rounds", made.slug)}
    data |= {"r0-base": "1.00", "r0-bonus": "0.50", "minimum_hourly_pay": "12"}
    part = client.post(reverse("desk:rounds-cost", args=[made.slug]), data).content.decode()
    # 20 units x 3 answers / 5 a batch = 12 batches; 1.00 for 10 minutes is 6.00 an hour.
    reason = "the 2 units of one source go to different people"
    for words in ("12.00 to 18.00 USD", "20 units", "6.00", "9.00", "less than 12.00", reason):
        assert words in part
    page = send(client, "desk:set-up-rounds", made.slug, go="cost", **typed).content.decode()
    assert "12.00 to 18.00 USD" in page
    made.refresh_from_db()
    assert made.minimum_hourly_pay is None
    data["r0-normal"] = "many"
    part = client.post(reverse("desk:rounds-cost", args=[made.slug]), data).content.decode()
    assert "once all fields are valid" in part


def test_what_the_rules_of_a_round_refuse_is_said_beside_its_field(
    made: Study, client: Client
) -> None:
    page = send(client, "desk:set-up-rounds", made.slug, r0__pass_="70")
    assert page.status_code == 422
    beside = 'id="id_r0-pass__error">Can never be met (the batch has no controls)'
    assert beside in page.content.decode()


# --- Questions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_the_options_of_every_task_type_are_a_form(owner: User, client: Client, kind: Any) -> None:
    example = kind.Options.model_validate(kind.example.options).model_dump(mode="json")
    blocks = [{"task_type": kind.slug, "options": example}]
    # No items: what a table must hold differs from type to type.
    study = mills(owner, blocks=blocks, items=[], columns=None)
    assert send(client, "desk:set-up-questions", study.slug).status_code == 302
    block = study.blocks.get()
    assert block.typed_options == kind.Options.model_validate(example)


def test_a_question_is_worded_and_shown_as_workers_see_it(made: Study, client: Client) -> None:
    words = {"b0__criteria__0__question": "How fluent is it?", "b0__criteria__0__key": "fluency"}
    page = send(client, "desk:set-up-questions", made.slug, go="show", **words).content.decode()
    assert page.count("How fluent is it?") > 1
    assert send(client, "desk:set-up-questions", made.slug, **words).status_code == 302
    question = made.questions.first()
    assert question is not None
    assert question.payload["criteria"][0]["question"] == "How fluent is it?"
    assert made.units.count() == 20


def test_criteria_and_points_are_added_and_removed(made: Study, client: Client) -> None:
    page = send(client, "desk:set-up-questions", made.slug, go="add:b0.criteria").content.decode()
    # The new criterion has the scale of the one before.
    second = Fields(page).posted
    assert second["b0.criteria.1.points"] == ["1–5, Very poor … Very good"]
    assert second["b0.criteria.1.question"] == [""]
    assert "This is needed." not in page
    page = send(client, "desk:set-up-questions", made.slug, go="remove:b0.criteria.0")
    assert 'name="b0.criteria.0.points"' not in page.content.decode()


def criteria_of(study: Study) -> Any:
    options: Any = study.blocks.get().typed_options
    return options.criteria


def added(client: Client, study: Study, go: str = "save", **typed: str) -> Any:
    """A second criterion is added and filled in."""
    page = send(client, "desk:set-up-questions", study.slug, go="add:b0.criteria")
    fields: dict[str, Any] = {**Fields(page.content.decode()).posted, "go": go}
    fields |= {f"b0.criteria.1.{name}": text for name, text in typed.items()}
    view = "desk:questions-preview" if go == "show" else "desk:set-up-questions"
    return client.post(reverse(view, args=[study.slug]), fields)


def test_a_criterion_with_a_name_alone_gets_a_key_and_the_scale_of_the_last_one(
    made: Study, client: Client
) -> None:
    sent = added(client, made, title="How fluent", question="How fluent is it?")
    assert sent.status_code == 302, sent.content.decode()
    first, second = criteria_of(made)
    assert (second.key, second.points) == ("how_fluent", first.points)


def test_names_as_points_make_a_nominal_criterion(made: Study, client: Client) -> None:
    assert added(client, made, question="Is it?", points="yes = Yes, no = No").status_code == 302
    _first, second = criteria_of(made)
    assert (second.key, second.distance) == ("criterion_2", "nominal")
    assert [point.label for point in second.points] == ["Yes", "No"]


def test_the_preview_follows_what_is_typed_and_says_what_does_not_fit(
    made: Study, client: Client
) -> None:
    page = added(client, made, "show", question="Is it?", points="0–2, bad … good").content.decode()
    assert all(words in page for words in ("Is it?", "bad", "good"))
    refused = added(client, made, "show", question="Is it?", points="0–100").content.decode()
    assert "0–100 is not ascending or has more than 21 points" in refused
    assert [criterion.key for criterion in criteria_of(made)] == ["quality"]


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("b0__criteria__0__key", "Two words", "String should match pattern"),
        ("b0__criteria__0__question", "", "This is needed."),
        ("b0__criteria__0__points", "1, x", "an ordinal criterion are numbers"),
        ("b0__criteria__0__points", "1, 3, 2", "The values do not ascend"),
        ("b0__criteria__0__points", "1–5, good", "Name both ends"),
    ],
)
def test_an_option_that_does_not_fit_is_said_beside_it(
    made: Study, client: Client, field: str, typed: str, words: str
) -> None:
    page = send(client, "desk:set-up-questions", made.slug, **{field: typed})
    assert page.status_code == 422
    assert words in page.content.decode()
    assert made.blocks.get().facets[0].name == "quality"


# --- Judges -------------------------------------------------------------------------------------


def test_judges_are_chosen_by_what_they_take(study: Study, owner: User) -> None:
    Study.objects.update(state=Study.State.DRAFT)
    client = as_user(owner)
    page = client.get(reverse("judges:runs", args=[study.slug]), {"costs": "1"}).content.decode()
    row = page[page.index("> lexical<") :]
    # Three units of citation recovery; the baseline costs nothing.
    assert '<td class="number">3</td>' in row[: row.index("</tr>")]
    assert not study.raters.filter(name="lexical").exists()
    for chosen in (["lexical"], []):
        sent = {"listed": ["lexical"], "judges": chosen}
        client.post(reverse("desk:set-up-judges", args=[study.slug]), sent)
        study.refresh_from_db()
        assert study.judges == chosen


def test_a_judge_that_the_page_did_not_list_stays(study: Study, owner: User) -> None:
    Study.objects.update(judges=[{"name": "mine", "method": "lexical"}])
    client, address = as_user(owner), reverse("desk:set-up-judges", args=[study.slug])
    for chosen, left in (("lexical", {"mine", "lexical"}), ("random", {"mine"})):
        page = client.post(address, {"listed": ["lexical"], "judges": [chosen]}, follow=True)
        assert "Saved." in page.content.decode()
        study.refresh_from_db()
        assert {entry_name(entry) for entry in study.judges} == left


# --- Keys that few studies need -----------------------------------------------------------------

RARE: dict[str, Any] = {
    "tips": ["Go by what it says.\nNot by what you know.", "Take your time."],
    "comprehension": [
        {"question": "What counts?", "options": ["The text: alone", "All"], "right": "All"},
        {"question": "How often?", "options": ["Once", "Twice"], "right": "Once"},
    ],
    "verdicts": {"false": "Not: so.", "a: b": "A label with a colon."},
    "setting": "sample",
    "margins": {"quality": 0.5},
    "batches": "fixed",
    "conclusions": [{"text": "A wins.", "metric": "mean", "better": "a", "worse": "b"}],
    "stop": {"metric": "krippendorff_alpha_ordinal", "half_width": 0.05},
    "epsilon": 0.2,
    "language": "de",
    "tell_missed": True,
}


def described(study: Study) -> dict[str, Any]:
    keys = study_keys(Study.objects.get(pk=study.pk))
    return {name: keys.get(name) for name in RARE}


def test_keys_that_a_form_shows_in_other_words_stay_as_they_are(owner: User) -> None:
    study, client = mills(owner, **RARE), as_user(owner)
    before = described(study)
    for name in ("desk:set-up-introduction", "desk:set-up-method"):
        assert send(client, name, study.slug).status_code == 302
    assert described(study) == before


def test_a_key_that_is_typed_changes_alone(owner: User) -> None:
    study, client = mills(owner, **RARE), as_user(owner)
    before = described(study)
    sent = send(client, "desk:set-up-introduction", study.slug, k__comprehension__1__right="Twice")
    assert sent.status_code == 302, sent.content.decode()
    after = described(study)
    assert after["comprehension"][1]["right"] == "Twice"
    assert {**after, "comprehension": None} == {**before, "comprehension": None}
    send(client, "desk:set-up-method", study.slug, k__setting="")
    after = described(study)
    assert (after["setting"], after["stop"], after["margins"]) == (
        *(None, before["stop"], before["margins"]),
    )


def test_a_row_is_added_and_what_does_not_fit_is_said_beside_its_field(
    made: Study, client: Client
) -> None:
    name = "desk:set-up-introduction"
    page = send(client, name, made.slug, go="add:k.comprehension").content.decode()
    assert 'name="k.comprehension.0.question"' in page
    fields = {**fields_of(client, name, made.slug), "go": "save", "k.comprehension.count": "1"}
    typed = {"question": "Why?", "options": "So\nSo not", "right": "Else"}
    fields |= {f"k.comprehension.0.{field}": [text] for field, text in typed.items()}
    refused = client.post(reverse(name, args=[made.slug]), fields)
    assert refused.status_code == 422
    assert "is none of the options" in refused.content.decode()
    fields["k.comprehension.0.right"] = ["So"]
    assert client.post(reverse(name, args=[made.slug]), fields).status_code == 302
    made.refresh_from_db()
    assert made.comprehension[0]["options"] == ["So", "So not"]


def test_rules_across_keys_are_said_on_the_page(made: Study, client: Client) -> None:
    page = send(client, "desk:set-up-method", made.slug, k__margins="unknown: 1")
    assert page.status_code == 422
    assert "unknown" in page.content.decode()


KEYS_FORMS = {
    form.form
    for form in (
        *(TextsForm, QuestionsForm, RoundsForm, RecruitmentForm),
        *(EthicsForm, IntroductionForm, MethodForm, RulesForm),
    )
}
ELSEWHERE = {"stop": "results:stop-rule", "judges": "judges:runs"}
MATERIAL = {
    "items": "desk:set-up-table",
    "columns": "desk:set-up-table",
    "picked": "desk:controls",
}


def test_every_key_of_the_study_file_has_a_form_or_a_reason_to_have_none(made: Study) -> None:
    table = study_fields()
    assert table.keys() | MATERIAL.keys() == StudyFile.model_fields.keys()
    assert all(bool(field.form) != bool(field.why_no_form) for field in table.values())
    assert {field.form for field in table.values() if field.form} == {*KEYS_FORMS, *ELSEWHERE}
    for view in (*MATERIAL.values(), *ELSEWHERE.values()):
        reverse(view, args=[made.slug])
