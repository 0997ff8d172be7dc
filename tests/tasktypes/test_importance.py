import gzip
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict

from tasktypes.importance import IMPORTANCE
from tasktypes.importance.form import ImportanceForm
from tasktypes.importance.metrics import (
    WEIGHTS,
    linear_decay,
    missing,
    nugget_recall,
    precision,
    scores,
    unsupported,
    weighted_precision,
    weighted_recall,
)
from tasktypes.importance.schema import Answer, NuggetAnswer, Options, Payload
from tasktypes.machines.replies import ReplyError
from tasktypes.texts.material import Item, Nugget, Passage, Sentence, Source

SOURCE = Source(
    key="ferry",
    query="When does the ferry sail?",
    passages=(Passage(index=0, text="It sails at nine."),),
    nuggets=(Nugget(text="It sails at nine.", vital=True), Nugget(text="Daily.", vital=False)),
)
ITEM = Item(
    key="ferry/larch",
    sentences=(Sentence(text="The white ferry sails at nine."), Sentence(text="It is old.")),
)
CLAIMS = ["The ferry is white.", "It sails at nine.", "It is old."]
LABELS = {"v": "vital", "o": "okay", "l": "less-important", "-": None}
MARKS = {"+": "supported", "-": "unsupported", "?": None}


def payload(
    focus: Mapping[str, Any] | None = None, source: Source = SOURCE, **options: Any
) -> Payload:
    focus = {"claims": CLAIMS} if focus is None else focus
    return IMPORTANCE.payload(source, [ITEM], focus, Options(**options))


def answer(
    labels: str, marks: str, order: Sequence[int] | None = None, nuggets: Sequence[str] = ()
) -> Answer:
    """Labels as "vol", marks as "+-?", one character per claim."""
    return Answer.model_validate(
        {
            "claims": [
                {"claim": i, "importance": LABELS[label], "support": MARKS[mark]}
                for i, (label, mark) in enumerate(zip(labels, marks, strict=True))
            ],
            "order": order,
            "nuggets": [{"nugget": i, "support": mark} for i, mark in enumerate(nuggets)],
        }
    )


WHOLE = answer("lvo", "++-", [1, 2, 0], ["supported", "not"])


# --- Scores, by hand ------------------------------------------------------------------------------


def test_vital_precision_is_the_supported_share_of_the_vital_claims() -> None:
    given = answer("vvvoll", "+-++--")
    assert precision(given, "vital") == 2 / 3
    assert precision(given, "okay") == 1
    assert precision(given, "less-important") == 0


def test_claim_precision_is_the_supported_share_of_all_claims_labelled_or_not() -> None:
    assert precision(answer("vl-o", "+-+-")) == 2 / 4
    assert precision(answer("--", "+-")) == 1 / 2


def test_weighted_precision_weighs_every_claim_by_its_label() -> None:
    given = answer("vol", "+-+")
    assert weighted_precision(given) == pytest.approx(1.1 / 1.6)  # (1 + .1) / (1 + .5 + .1)
    published = weighted_precision(given, WEIGHTS["published"])
    assert published == pytest.approx(0.7)  # (.5 + .2) / (.5 + .3 + .2)


def test_linear_decay_falls_to_nothing_at_the_last_claim() -> None:
    # order 2, 0, 1 with weights (3-1)/1 = 2, (3-2)/2 = 1/2, 0
    assert linear_decay(answer("vol", "-++", [2, 0, 1])) == pytest.approx(2 / 2.5)
    assert linear_decay(answer("vol", "+-+", [2, 0, 1])) == pytest.approx(1.0)
    # the first two of them: weights 1, 0
    assert linear_decay(answer("vol", "-++", [0, 2, 1]), top=2) == 0


def test_one_unsupported_vital_claim_marks_the_whole_response() -> None:
    assert unsupported(answer("vvl", "+-+"), "vital") is True
    assert unsupported(answer("vvl", "++-"), "vital") is False


def test_where_all_claims_count_alike_any_unsupported_one_marks_the_response() -> None:
    assert unsupported(answer("vvl", "++-")) is True
    assert unsupported(answer("v-", "++")) is False


def test_nuggets_that_are_partly_there_count_half_or_not_at_all() -> None:
    nuggets = [Nugget(text=text, vital=text < "c") for text in "abcd"]  # two vital, two not
    given = answer("v", "+", nuggets=["supported", "partly", "not", "partly"]).nuggets
    assert nugget_recall(given, nuggets) == 1 / 4
    assert nugget_recall(given, nuggets, only_vital=True) == 1 / 2
    assert weighted_recall(given, nuggets) == pytest.approx(1.75 / 3)  # (1.5 + .5*.5) / (2 + 1)
    strictly = weighted_recall(given, nuggets, partly=0.0)
    assert strictly == pytest.approx(1 / 3)
    assert missing(given, nuggets, only_vital=True) is False


def test_a_vital_nugget_that_is_missing_marks_the_whole_response() -> None:
    nuggets = SOURCE.nuggets
    assert (
        missing(answer("v", "+", nuggets=["not", "supported"]).nuggets, nuggets, only_vital=True)
        is True
    )
    assert (
        missing(answer("v", "+", nuggets=["partly", "not"]).nuggets, nuggets, only_vital=True)
        is False
    )


def test_where_all_nuggets_count_alike_any_missing_one_marks_the_response() -> None:
    nuggets = SOURCE.nuggets
    assert missing(answer("v", "+", nuggets=["supported", "not"]).nuggets, nuggets) is True
    assert missing(answer("v", "+", nuggets=["supported", "partly"]).nuggets, nuggets) is False


# --- Undefined scores, and the published conventions ----------------------------------------------


def test_without_a_vital_claim_its_scores_are_undefined_and_published_as_nought() -> None:
    given = answer("ol", "+-", [0, 1])
    assert precision(given, "vital") is None
    assert unsupported(given, "vital") is None
    assert precision(given, "vital", as_published=True) == 0
    assert unsupported(given, "vital", as_published=True) is False


def test_linear_decay_of_one_claim_is_undefined_and_published_as_nought() -> None:
    given = answer("v", "+", [0])
    assert linear_decay(given) is None
    assert linear_decay(given, as_published=True) == 0
    assert linear_decay(answer("v", "+")) is None


def test_what_nobody_verified_is_undefined_and_published_as_unsupported() -> None:
    given = answer("vvl", "+??", [0, 1, 2])
    assert precision(given, "vital") is None
    assert weighted_precision(given) is None
    assert linear_decay(given) is None
    assert unsupported(given, "vital") is None
    assert precision(given) is None
    assert unsupported(given) is None
    assert precision(given, "vital", as_published=True) == 1 / 2
    assert precision(given, as_published=True) == 1 / 3
    assert linear_decay(given, as_published=True) == pytest.approx(2 / 2.5)
    assert unsupported(given, "vital", as_published=True) is True


def test_an_unsupported_vital_claim_decides_whatever_else_is_unknown() -> None:
    assert unsupported(answer("vv", "-?"), "vital") is True


def test_claims_without_a_label_weigh_nothing() -> None:
    assert weighted_precision(answer("v-", "+-")) == 1
    assert weighted_precision(answer("--", "+-")) is None


def test_recall_needs_every_nugget_judged_and_one_to_judge() -> None:
    one_of_two = (NuggetAnswer(nugget=0, support="supported"),)
    for given, nuggets in ((one_of_two, SOURCE.nuggets), ((), ())):
        assert nugget_recall(given, nuggets) is None
        assert weighted_recall(given, nuggets) is None
        assert missing(given, nuggets, only_vital=True) is None
    no_vital = [Nugget(text="Daily.", vital=False)]
    assert nugget_recall(one_of_two, no_vital, only_vital=True) is None
    assert missing(one_of_two, no_vital, only_vital=True) is None


def test_the_block_decides_the_weights_and_the_conventions() -> None:
    given = answer("olo", "+?-", [0, 2, 1])
    measured = IMPORTANCE.measures(SOURCE, payload(), given, Options())
    assert measured["weighted_precision"] is None
    published = Options(weights="published", as_published=True)
    measured = IMPORTANCE.measures(SOURCE, payload(), given, published)
    assert measured["weighted_precision"] == pytest.approx(0.3 / 0.8)
    assert measured["vital_precision"] == 0


# --- The published files --------------------------------------------------------------------------

FIELDS = {
    "vital-precision": "vital_precision",
    "okay-precision": "okay_precision",
    "less-important-precision": "less_important_precision",
    "weighted-precision": "weighted_precision",
    "linear-decay-precision": "linear_decay",
    "linear-decay-precision-topk": "linear_decay_top5",
}


def recorded(record: Mapping[str, Any]) -> Answer:
    """A record of the published files as an answer."""
    claims = [claim for part in record["decomposition"] for claim in part["decomp"]]
    marks = {True: "supported", False: "unsupported", None: None}
    numbers = {claim["id"]: i for i, claim in enumerate(claims)}
    return Answer.model_validate(
        {
            "claims": [
                {"claim": i, "importance": one["importance"], "support": marks[one["judgment"]]}
                for i, one in enumerate(claims)
            ],
            "order": [numbers[name] for name in record["subclaim-importance-order"]],
        }
    )


def published(shared_data: Path, rater: str) -> list[dict[str, Any]]:
    path = shared_data / "vitalerrors-nq" / f"{rater}_normal.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_the_published_scores_follow_from_the_published_labels(shared_data: Path) -> None:
    records = published(shared_data, "gpt-4o")
    assert len(records) == 50
    for record in records:
        ours = scores(recorded(record), weights="published", as_published=True)
        for field, name in FIELDS.items():
            assert ours[name] == pytest.approx(record["scores"][field], abs=1e-12), field
    marked = [unsupported(recorded(record), "vital", as_published=True) for record in records]
    assert sum(map(bool, marked)) == 28


def test_published_answers_fit_a_question_that_allows_gaps(shared_data: Path) -> None:
    options = Options(parts=("importance", "order", "support"), gaps="allowed")
    gaps = 0
    for record in published(shared_data, "human-eval"):
        source = Source(key="nq", query=record["query"])
        claims = [claim["text"] for part in record["decomposition"] for claim in part["decomp"]]
        question = IMPORTANCE.payload(source, [ITEM], {"claims": claims}, options)
        given = recorded(record)
        IMPORTANCE.check(question, given)
        labels = [r for r in IMPORTANCE.ratings(question, given) if r.facet == "importance"]
        gaps += len(claims) - len(labels)
    assert gaps == 2


# --- The question ---------------------------------------------------------------------------------


def test_claims_are_those_of_the_unit_or_else_the_sentences() -> None:
    assert payload().claims == tuple(CLAIMS)
    assert payload({"passage": 3}).claims == ("The white ferry sails at nine.", "It is old.")


@pytest.mark.parametrize("claims", [[], "one", [""], [{"text": "a", "importance": "vital"}], [1]])
def test_claims_are_texts_and_carry_no_labels(claims: Any) -> None:
    with pytest.raises(ValueError, match=r"focus\.claims"):
        payload({"claims": claims})


def test_importance_needs_something_to_be_important_to() -> None:
    with pytest.raises(ValueError, match="query"):
        payload(source=Source(key="a", document="A report."))


def test_support_needs_documents_unless_the_file_may_have_gaps() -> None:
    bare = Source(key="a", query="Why?")
    with pytest.raises(ValueError, match="passages"):
        payload(source=bare)
    assert payload(source=bare, parts=["importance"]).claims
    assert payload(source=bare, gaps="allowed").claims
    assert payload(source=Source(key="a", query="Why?", document="A report.")).document


def test_a_question_is_about_one_item() -> None:
    with pytest.raises(ValueError, match="items"):
        IMPORTANCE.payload(SOURCE, [ITEM, ITEM], {}, Options())


@pytest.mark.parametrize("parts", [[], ["order", "order"], ["rank"]])
def test_parts_are_some_of_the_four_each_once(parts: list[str]) -> None:
    with pytest.raises(ValueError, match="parts"):
        Options.model_validate({"parts": parts})


def test_facets_are_those_of_the_parts_asked() -> None:
    facets = IMPORTANCE.facets(Options(parts=("nuggets", "order")))
    assert [(facet.name, facet.kind, facet.distance) for facet in facets] == [
        ("order", "number", "ordinal"),
        ("nugget", "label", "nominal"),
    ]


def test_whether_a_nugget_is_vital_is_not_in_the_question() -> None:
    assert "vital" not in payload(parts=["nuggets"]).model_dump_json()


def test_only_what_is_asked_is_on_the_page_and_in_the_prompt() -> None:
    question = payload(parts=["support"])
    html = render_to_string(IMPORTANCE.template, {"form": ImportanceForm(question)})
    prompt = IMPORTANCE.prompt(question)
    assert "support-2" in html
    for name in ("importance-0", "order-0", "nugget-0"):
        assert name not in html
    assert "vital" not in prompt
    assert '{"claims": [{"claim": NUMBER, "support": "LABEL"}]}' in prompt
    assert "Facts" not in prompt


# --- Answers --------------------------------------------------------------------------------------


def test_an_answer_is_taken_apart_by_claim_and_by_nugget() -> None:
    ratings = IMPORTANCE.ratings(payload(), WHOLE)
    assert [(one.facet, one.element, one.value) for one in ratings] == [
        ("importance", "0", "less-important"),
        ("support", "0", "supported"),
        ("importance", "1", "vital"),
        ("support", "1", "supported"),
        ("importance", "2", "okay"),
        ("support", "2", "unsupported"),
        ("order", "1", 1.0),
        ("order", "2", 2.0),
        ("order", "0", 3.0),
        ("nugget", "0", "supported"),
        ("nugget", "1", "not"),
    ]


def test_an_order_that_lists_a_claim_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="claim 1 is listed twice"):
        answer("lvo", "++-", [1, 1, 0])


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (answer("lv", "++", [1, 0], ["not", "not"]), "claims: number 2 is missing"),
        (answer("lvol", "++++", [1, 0, 2, 3], ["not", "not"]), "claims: there is no number 3"),
        (answer("lv-", "+++", [1, 0, 2], ["not", "not"]), r"claims\.2\.importance: missing"),
        (answer("lvo", "+?+", [1, 0, 2], ["not", "not"]), r"claims\.1\.support: missing"),
        (answer("lvo", "+++", None, ["not", "not"]), "order: missing"),
        (answer("lvo", "+++", [1, 0], ["not", "not"]), "order: number 2 is missing"),
        (answer("lvo", "+++", [1, 0, 3], ["not", "not"]), "order: there is no number 3"),
        (answer("lvo", "+++", [1, 0, 2], ["not"]), "nuggets: number 1 is missing"),
    ],
)
def test_an_answer_with_gaps_is_refused_with_the_place(given: Answer, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        IMPORTANCE.check(payload(), given)


@pytest.mark.parametrize(
    ("part", "given", "reason"),
    [
        ("support", answer("l--", "+++"), r"claims\.0\.importance: not asked"),
        ("importance", answer("lvo", "+??"), r"claims\.0\.support: not asked"),
        ("importance", answer("lvo", "???", [0, 1, 2]), "order: not asked"),
        ("importance", answer("lvo", "???", nuggets=["not"]), "nuggets: there is no number 0"),
    ],
)
def test_an_answer_to_what_was_not_asked_is_refused(part: str, given: Answer, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        IMPORTANCE.check(payload(parts=[part]), given)


def test_gaps_stand_where_the_block_allows_them_but_not_in_a_machines_reply() -> None:
    lenient = payload(gaps="allowed")
    IMPORTANCE.check(lenient, answer("lv-", "+??"))
    gappy = answer("lv-", "+++", [1, 0, 2], ["not", "not"])
    IMPORTANCE.check(lenient, gappy)
    with pytest.raises(ReplyError, match="importance: missing"):
        IMPORTANCE.parse_reply(lenient, gappy.model_dump_json())


def test_the_order_and_the_lesser_labels_of_a_control_are_matters_of_judgement() -> None:
    question = payload()
    alike = answer("ovl", "++-", [1, 0, 2], ["supported", "not"])
    assert IMPORTANCE.is_right(question, alike, WHOLE)
    for other in (
        answer("vvo", "++-", [1, 2, 0], ["supported", "not"]),
        answer("lvo", "+--", [1, 2, 0], ["supported", "not"]),
        answer("lvo", "++-", [1, 2, 0], ["supported", "partly"]),
    ):
        assert not IMPORTANCE.is_right(question, other, WHOLE)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"order": [1, 1, 0]}, "listed twice"),
        ({"order": None}, "order: missing"),
        ({"order": ["1", "2", "0"]}, "order"),
        ({"claims": [{"claim": 0, "importance": "Vital", "support": "supported"}]}, "importance"),
        ({"claims": []}, "claims: number 0 is missing"),
        ({"nuggets": [{"nugget": 0, "support": "maybe"}]}, "nuggets"),
    ],
)
def test_a_reply_that_is_no_answer_says_why(change: dict[str, Any], reason: str) -> None:
    reply = json.dumps({**WHOLE.model_dump(mode="json"), **change})
    with pytest.raises(ReplyError, match=reason):
        IMPORTANCE.parse_reply(payload(), reply)


# --- The form -------------------------------------------------------------------------------------

POSTED = {
    "importance-0": "less-important",
    "importance-1": "vital",
    "importance-2": "okay",
    "support-0": "supported",
    "support-1": "supported",
    "support-2": "unsupported",
    "order-0": "3",
    "order-1": "1",
    "order-2": "2",
    "nugget-0": "supported",
    "nugget-1": "not",
}


def form(posted: Mapping[str, str], **options: Any) -> ImportanceForm:
    data = MultiValueDict({name: [value] for name, value in posted.items()})
    return ImportanceForm(payload(**options), data)


def test_labels_positions_and_marks_are_the_answer() -> None:
    filled = form(POSTED)
    assert filled.is_valid()
    assert filled.answer() == WHOLE


@pytest.mark.parametrize("name", POSTED)
def test_what_is_missing_is_said_beside_it_and_the_rest_is_kept(name: str) -> None:
    half = form({key: value for key, value in POSTED.items() if key != name})
    assert not half.is_valid()
    assert [refusal.id for refusal in half.refusals()] == [name]
    html = render_to_string(IMPORTANCE.template, {"form": half})
    assert f'id="{name}-error"' in html
    kept = [value for key, value in POSTED.items() if key.startswith("order") and key != name]
    for position in kept:
        assert f'<option value="{position}" selected>' in html


def test_a_position_given_twice_is_said_beside_both() -> None:
    filled = form({**POSTED, "order-0": "1"})
    assert not filled.is_valid()
    assert filled.errors["order-0"] == ["Position 1 is also given to claim 2."]
    assert filled.errors["order-1"] == ["Position 1 is also given to claim 1."]
    assert [refusal.id for refusal in filled.refusals()] == ["order-0", "order-1"]


@pytest.mark.parametrize("position", ["0", "4", "first", "1.5"])
def test_a_position_that_does_not_exist_is_refused(position: str) -> None:
    assert form({**POSTED, "order-0": position}).has_error("order-0", "invalid_choice")


def test_a_block_may_ask_for_an_order_alone() -> None:
    filled = form({"order-0": "2", "order-1": "1", "order-2": "3"}, parts=["order"])
    assert filled.is_valid()
    assert filled.answer() == answer("---", "???", [1, 0, 2])


# --- An order of the vital claims alone -------------------------------------------------------


OF_VITAL = payload(order_of="vital")


def test_the_option_is_off_and_then_leaves_no_trace_in_a_question() -> None:
    assert Options().order_of == "claims"
    assert "order_of" not in payload().model_dump(mode="json")
    assert OF_VITAL.model_dump(mode="json")["order_of"] == "vital"


def test_only_what_is_labelled_can_be_ordered_by_its_label() -> None:
    with pytest.raises(ValueError, match="which claims are vital is not asked"):
        Options(order_of="vital", parts=("order", "support"))


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ([1, 0], None),
        ([1], "order: number 0 is missing"),
        ([1, 0, 2], "order: claim 2 is not labelled vital"),
        (None, "order: missing"),
    ],
)
def test_an_order_of_vital_claims_holds_these_and_no_other(
    order: list[int] | None, reason: str | None
) -> None:
    given = answer("vvo", "+++", order, ["not", "not"])
    if reason is None:
        IMPORTANCE.check(OF_VITAL, given)
        places = [r for r in IMPORTANCE.ratings(OF_VITAL, given) if r.facet == "order"]
        assert [(r.element, r.value) for r in places] == [("1", 1.0), ("0", 2.0)]
    else:
        with pytest.raises(ValueError, match=re.escape(reason)):
            IMPORTANCE.check(OF_VITAL, given)


def test_without_a_vital_claim_the_order_is_empty() -> None:
    given = answer("ooo", "+++", [], ["not", "not"])
    IMPORTANCE.check(OF_VITAL, given)
    assert IMPORTANCE.parse_reply(OF_VITAL, given.model_dump_json()) == given
    assert linear_decay(given) is None
    assert "order" not in IMPORTANCE.summary(OF_VITAL, given)


def test_positions_count_for_vital_claims_alone() -> None:
    labels = {"importance-0": "vital", "importance-1": "vital", "importance-2": "okay"}
    typed = form(POSTED | labels | {"order-2": "1"}, order_of="vital")
    assert typed.is_valid(), typed.errors
    assert typed.answer().order == (1, 0)
    again = form({k: v[0] for k, v in typed.filled(typed.answer()).items()}, order_of="vital")
    assert again.is_valid()
    assert again.answer() == typed.answer()


def test_one_vital_claim_needs_no_position_and_two_need_one_each() -> None:
    rest = {name: value for name, value in POSTED.items() if not name.startswith("order")}
    labels = {"importance-0": "vital", "importance-1": "okay", "importance-2": "okay"}
    one = form(rest | labels, order_of="vital")
    assert one.is_valid(), one.errors
    assert one.answer().order == (0,)
    two = form(rest | labels | {"importance-1": "vital"}, order_of="vital")
    assert {refusal.id for refusal in two.refusals()} == {"order-0", "order-1"}
    assert two.is_unfinished


def test_the_vital_claims_of_most_are_put_in_order_by_their_mean_place() -> None:
    given = [
        answer("vvo", "+++", [1, 0], ["not", "not"]),
        answer("vvv", "+++", [2, 1, 0], ["not", "not"]),
        answer("vvo", "+++", [0, 1], ["not", "not"]),
    ]
    together = IMPORTANCE.combined(OF_VITAL, given)
    IMPORTANCE.check(OF_VITAL, together)
    assert together.order == (1, 0)  # mean places 0, 1, 1 = 2/3 and 1, 2, 0 = 1


def test_a_machine_is_asked_for_an_order_of_the_vital_claims() -> None:
    asked = IMPORTANCE.prompt(OF_VITAL)
    assert "that you labelled" in asked
    assert "every claim once" not in asked


def test_values_of_parts_become_an_order_of_the_vital_claims() -> None:
    given = answer("vov", "+++", [2, 0], ["not", "not"])
    values = IMPORTANCE.to_parts(OF_VITAL, given)
    assert values[3:6] == [2.0, None, 1.0]
    whole = [2.0 if value is None else value for value in values]
    assert IMPORTANCE.from_parts(OF_VITAL, whole) == given
