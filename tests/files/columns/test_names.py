import pytest

from files.columns.names import Role, column_role, may_be_unit, personal, plain, rater_role

TOLD = {
    Role.PERSON: "human_1 annotator ann1 expert-2 Rater_B human_eval expertScore worker-7",
    Role.JUDGE: "gpt-4o GPT4 ChatGPT DeepSeek-V3 LLaMA-2 Claude_3.5 judge llm_score o3-mini model "
    "verdict prediction pred auto grader score meta-llama/Llama-3.1-8B-Instruct",
    Role.EITHER: "human_judge llm_annotator expert_gpt",
    Role.UNTOLD: "ada remodel aida egpta label modelled 001 人1 humane",
    Role.NEITHER: "worker_id WorkerId n_human_count human_seconds annotator_age human_mean gold "
    "Last30DaysApprovalRate Input.code Answer.best_coh Answer.human sys_a is_human judge_reason",
}


@pytest.mark.parametrize(
    ("name", "role"), [(name, role) for role, names in TOLD.items() for name in names.split()]
)
def test_whole_words_of_a_name_tell_whose_labels_a_column_has(name: str, role: Role) -> None:
    assert column_role(name) is role


def test_a_question_is_nobody_s_name() -> None:
    assert column_role("Does the annotator agree?") is Role.NEITHER
    assert column_role("how well does an expert like the text") is Role.NEITHER


def test_a_rater_is_somebody_whatever_else_the_name_says() -> None:
    assert rater_role("claude-3-5-sonnet-20241022 version 2") is Role.JUDGE
    assert rater_role("w01 group b") is Role.UNTOLD


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("doc", True), ("case_id", True), ("ExampleID", True), ("docid", True), ("label", False)]
    + [(name, False) for name in ("worker_id", "AssignmentId", "workerid", "system_id")],
)
def test_ids_of_people_and_sittings_are_no_units(name: str, is_one: bool) -> None:
    assert may_be_unit(name) is is_one


def test_names_are_compared_however_they_are_written() -> None:
    assert {plain(name) for name in ("WorkerId", "worker id", "worker_ID", "Worker-Id")} == {
        "worker_id"
    }


PERSONAL = (
    "WorkerId worker_id workerid AssignmentId Answer.userAgent Answer.email IPAddress ip "
    "RecipientEmail RecipientFirstName LocationLatitude annotator_name participant_id annotator "
    "browser phone surname PROLIFIC_PID address user_id rater"
)
KEPT = (
    "HITId Input.email Input.id doc_id item_id response_id ResponseId split condition topic "
    "LifetimeApprovalRate WorkTimeInSeconds gender language addresses_claim description name "
    "model_name expert_score human_mean query title "
    "Answer.acceptable StartDate user reviewer_comment shipping person_count"
)


@pytest.mark.parametrize("name", PERSONAL.split())
def test_a_name_tells_that_a_column_identifies_people(name: str) -> None:
    assert personal(name)


@pytest.mark.parametrize("name", KEPT.split())
def test_a_column_of_anything_else_identifies_nobody(name: str) -> None:
    assert not personal(name, ["3", "a word", "R_1xyz", "A1", "APPLE"])


@pytest.mark.parametrize(
    ("question", "is_personal"),
    [
        ("What is your name?", True),
        ("Please enter your Prolific ID", True),
        ("Your e-mail address", True),
        ("Does the annotator name the product?", False),
        ("Is the address of the shop in the text?", False),
    ],
)
def test_a_form_may_ask_who_somebody_is(question: str, is_personal: bool) -> None:
    assert personal(question) is is_personal


@pytest.mark.parametrize(
    "cell",
    ["ann@example.org", "192.0.2.17", "2001:db8::1", "Mozilla/5.0 (X11; Linux)", "A2XJ9ZQ81LKM0P"],
)
def test_cells_tell_that_a_column_identifies_people(cell: str) -> None:
    assert personal("x1", [cell, "", "none", cell])
    assert not personal("x1", [cell, *(["a text about it"] * 9)])
    assert not personal("x1", [f"the model wrote {cell}"])
