import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict

from tasktypes.citation_recovery import CITATION_RECOVERY as RECOVERY
from tasktypes.citation_recovery.form import NONE, RecoveryForm
from tasktypes.citation_recovery.metrics import count_citations, is_transparent
from tasktypes.citation_recovery.schema import Answer, Options, Payload
from tasktypes.machines.replies import ReplyError
from tasktypes.plans import UnitPlan
from tasktypes.texts.citations import cited
from tasktypes.texts.material import Item, Passage, Sentence, Source

SOURCE = Source(
    key="bridge",
    claim="The bridge is closed.",
    verdict="false",
    passages=tuple(Passage(index=k, text=f"Passage {k}.", selected=k < 2) for k in range(4)),
)


def item(*sentences: str, key: str = "bridge/larch") -> Item:
    return Item(
        key=key,
        sentences=tuple(Sentence(text=text, citations=cited(text)) for text in sentences),
    )


ITEM = item("It is open [0].", "It was repaired [1][0].", "So the claim is false.", "See [2].")


def plan(one: Item, seed: int = 7) -> list[UnitPlan]:
    return list(RECOVERY.plan(SOURCE, [one], Options(), seed=seed))


def payload(one: Item = ITEM, **focus: Any) -> Payload:
    return RECOVERY.payload(SOURCE, [one], focus, Options())


def reference(one: Item = ITEM, **focus: Any) -> tuple[int, ...]:
    return RECOVERY.reference(SOURCE, [one], focus, Options()).sentences


def form(**posted: list[str]) -> RecoveryForm:
    return RecoveryForm(payload(passage=0), MultiValueDict(posted))


def html_of(one: RecoveryForm) -> str:
    return render_to_string(RECOVERY.template, {"form": one})


# --- Planning -----------------------------------------------------------------------------------


def test_every_cited_passage_makes_one_unit_and_one_of_them_is_the_sample() -> None:
    plans = plan(ITEM)
    assert [one.suffix for one in plans] == ["0", "1", "2"]
    assert [one.focus for one in plans] == [{"passage": 0}, {"passage": 1}, {"passage": 2}]
    assert all("full" in one.subsets for one in plans)
    assert sum("sample" in one.subsets for one in plans) == 1


def test_a_citation_outside_the_passages_makes_no_unit() -> None:
    assert [one.suffix for one in plan(item("It is open [0].", "So they say [9][2019]."))] == ["0"]


def test_an_item_without_citations_makes_no_unit() -> None:
    assert plan(item("It is open.")) == []


def test_the_draw_of_the_sample_depends_on_the_seed_and_the_item_alone() -> None:
    drawn = [plan(ITEM, seed=3) for _ in range(3)]
    assert drawn[0] == drawn[1] == drawn[2]
    by_seed = {
        next(p.suffix for p in plan(ITEM, seed=s) if "sample" in p.subsets) for s in range(40)
    }
    assert by_seed == {"0", "1", "2"}


def test_the_draw_is_spread_evenly_over_items() -> None:
    texts = [sentence.text for sentence in ITEM.sentences]
    drawn = [
        next(p.suffix for p in plan(item(*texts, key=f"item-{i}")) if "sample" in p.subsets)
        for i in range(3000)
    ]
    # 1,000 expected each, standard deviation sqrt(3000 * 1/3 * 2/3) = 26.
    assert all(abs(drawn.count(k) - 1000) < 130 for k in "012")


# --- The question -------------------------------------------------------------------------------


def test_the_question_hides_one_citation_and_shows_the_others() -> None:
    assert [sentence.text for sentence in payload(passage=0).sentences] == [
        "It is open.",
        "It was repaired [1].",
        "So the claim is false.",
        "See [2].",
    ]


def test_the_reference_is_every_sentence_that_cited_the_passage() -> None:
    assert reference(passage=0) == (0, 1)
    assert reference(passage=1) == (1,)
    assert reference(passage=3) == ()


def test_the_reference_follows_the_recorded_reading_not_the_text() -> None:
    recorded = Item(
        key="a", sentences=(Sentence(text="So [0]."), Sentence(text="x", citations=(0,)))
    )
    assert reference(recorded, passage=0) == (1,)


def test_blanked_sentences_keep_their_numbers_and_leave_the_reference() -> None:
    control = payload(passage=0, blanked=[0, 1])
    assert control.numbers == (2, 3)
    assert reference(passage=0, blanked=[0, 1]) == ()
    with pytest.raises(ValueError, match="sentences: there is no sentence 1"):
        RECOVERY.check(control, Answer(sentences=(1,)))


@pytest.mark.parametrize(
    ("focus", "field"),
    [
        ({}, "focus.passage"),
        ({"passage": "0"}, "focus.passage"),
        ({"passage": True}, "focus.passage"),
        ({"passage": 9}, "focus.passage"),
        ({"passage": 0, "blanked": [4]}, "focus.blanked"),
        ({"passage": 0, "blanked": "0"}, "focus.blanked"),
        ({"passage": 0, "blanked": [0, 1, 2, 3]}, "focus.blanked"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_by_field(
    focus: dict[str, Any], field: str
) -> None:
    with pytest.raises(ValueError, match=field):
        payload(**focus)


def test_a_question_is_about_one_item() -> None:
    with pytest.raises(ValueError, match="items"):
        RECOVERY.payload(SOURCE, [ITEM, ITEM], {"passage": 0}, Options())


def test_a_payload_that_contradicts_itself_is_refused() -> None:
    whole = payload(passage=0).model_dump()
    with pytest.raises(ValueError, match="there is no passage 8"):
        Payload.model_validate({**whole, "passage": 8})
    with pytest.raises(ValueError, match="do not ascend"):
        Payload.model_validate({**whole, "sentences": whole["sentences"][::-1]})


# --- Answers ------------------------------------------------------------------------------------


def test_an_answer_is_a_set() -> None:
    assert Answer.model_validate({"sentences": [2, 0, 2]}) == Answer(sentences=(0, 2))


@pytest.mark.parametrize("sentences", [["0"], [True], [0.0], [-1], None, "0"])
def test_an_answer_of_the_wrong_type_is_refused(sentences: Any) -> None:
    with pytest.raises(ValueError, match="sentences"):
        Answer.model_validate({"sentences": sentences})


def test_none_can_is_rated_as_the_empty_set() -> None:
    (rating,) = RECOVERY.ratings(payload(passage=0), Answer(sentences=()))
    assert rating.value == frozenset()


def test_only_the_exact_set_is_right() -> None:
    right = Answer(sentences=(0, 1))
    assert RECOVERY.is_right(payload(passage=0), Answer(sentences=(1, 0)), right)
    assert not RECOVERY.is_right(payload(passage=0), Answer(sentences=(0,)), right)


# --- The form -----------------------------------------------------------------------------------


def test_chosen_sentences_are_the_answer() -> None:
    filled = form(sentences=["1", "0"])
    assert filled.is_valid()
    assert filled.answer() == Answer(sentences=(0, 1))


def test_no_sentence_can_is_an_answer() -> None:
    filled = form(none=["on"])
    assert filled.is_valid()
    assert filled.answer() == Answer(sentences=())


def test_nothing_chosen_is_no_answer() -> None:
    empty = form()
    assert not empty.is_valid()
    assert empty.has_error("__all__", "unanswered")


def test_sentences_and_none_together_contradict_and_stay_as_they_were_ticked() -> None:
    both = form(sentences=["1"], none=["on"])
    assert both.has_error("__all__", "contradiction")
    html = html_of(both)
    assert html.count(" checked>") == 2
    assert 'aria-describedby="sentences-help sentences-errors"' in html
    assert 'id="sentences-errors"' in html


@pytest.mark.parametrize("number", ["4", "-1", "x", "1.0"])
def test_a_sentence_that_is_not_in_the_question_cannot_be_chosen(number: str) -> None:
    assert not form(sentences=[number]).is_valid()


def controls(pool: Any, passage: int = 0, **focus: Any) -> dict[str, Any]:
    asked, right = payload(passage=passage, **focus), reference(passage=passage, **focus)
    made = RECOVERY.controls(
        asked, Answer(sentences=right), {"passage": passage, **focus}, pool=pool
    )
    return {one.kind: one for one in made}


def test_a_positive_control_is_the_question_as_it_is() -> None:
    positive = controls("one_part", passage=2)["positive"]
    assert positive.payload == payload(passage=2)
    assert positive.reference == Answer(sentences=(3,))
    assert positive.focus == {"passage": 2}


def test_a_negative_control_leaves_out_the_sentences_that_cited_the_passage() -> None:
    negative = controls("one_part", passage=2, blanked=[0])["negative"]
    assert negative.payload.numbers == (1, 2)
    assert negative.reference == Answer(sentences=())
    assert negative.payload == payload(**negative.focus)
    assert negative.focus == {"passage": 2, "blanked": [0, 3]}


def test_a_question_with_two_right_sentences_is_not_in_the_pool_of_one_part() -> None:
    assert controls("one_part", passage=0) == {}


def test_the_default_pool_is_explanations_from_one_passage() -> None:
    assert controls("one_passage", passage=0) == {}
    one = tuple(p.model_copy(update={"selected": p.index == 0}) for p in SOURCE.passages)
    asked = payload(passage=0).model_copy(update={"passages": one})
    right = Answer(sentences=reference(passage=0))
    kinds = [c.kind for c in RECOVERY.controls(asked, right, {"passage": 0}, pool="one_passage")]
    assert kinds == ["positive", "negative"]
    asked = payload(passage=1).model_copy(update={"passages": one})
    assert not list(RECOVERY.controls(asked, right, {"passage": 1}, pool="one_passage"))


def test_where_nothing_else_is_left_there_is_no_negative_control() -> None:
    only = item("It is open [2].")
    asked, right = payload(only, passage=2), Answer(sentences=(0,))
    kinds = [c.kind for c in RECOVERY.controls(asked, right, {"passage": 2}, pool="one_part")]
    assert kinds == ["positive"]


def test_a_blanked_sentence_cannot_be_chosen() -> None:
    control = payload(passage=0, blanked=[0])
    assert not RecoveryForm(control, MultiValueDict({"sentences": ["0"]})).is_valid()
    assert RecoveryForm(control, MultiValueDict({"sentences": ["1"]})).is_valid()


def test_texts_from_outside_are_escaped() -> None:
    source = SOURCE.model_copy(
        update={"passages": (Passage(index=0, text="<script>alert(1)</script>"),)}
    )
    question = RECOVERY.payload(source, [item("<b>bold</b> [0].")], {"passage": 0}, Options())
    html = html_of(RecoveryForm(question))
    assert "<script>" not in html
    assert "<b>" not in html


def test_a_sentence_of_nothing_but_the_citation_can_still_be_chosen() -> None:
    question = payload(item("It is open.", "[0]."), passage=0)
    assert question.sentences[1].text == ""
    assert "(no words)" in html_of(RecoveryForm(question))


# --- The prompt ---------------------------------------------------------------------------------


def test_the_prompt_numbers_sentences_as_the_answer_does() -> None:
    lines = RECOVERY.prompt(payload(passage=0, blanked=[1])).splitlines()
    assert "0: It is open." in lines
    assert "2: So the claim is false." in lines
    assert not any(line.startswith("1: ") for line in lines)
    assert "[1] (selected) Passage 1." in lines
    assert "[2] Passage 2." in lines


def test_a_line_break_in_a_text_makes_no_new_entry_in_the_prompt() -> None:
    question = payload(item("It is\n3: open [0]."), passage=0)
    assert "0:\n    It is\n    3: open.\n" in RECOVERY.prompt(question)


# --- Transparency -------------------------------------------------------------------------------


def transparent(scores: list[float], one: Item = ITEM, **options: Any) -> bool | None:
    typed = Options(**options)
    citations = count_citations(SOURCE, one, typed)
    return None if citations is None else is_transparent(scores, citations, typed)


def test_an_explanation_is_transparent_when_every_passage_is_recovered() -> None:
    assert transparent([1.0, 0.6, 1.0]) is True
    assert transparent([1.0, 0.59, 1.0]) is False
    assert transparent([sum([1 / 2, 1 / 2, 2 / 3, 2 / 3, 2 / 3]) / 5]) is None  # one of three
    assert transparent([1.0, sum([1 / 2, 1 / 2, 2 / 3, 2 / 3, 2 / 3]) / 5, 1.0]) is True
    assert transparent([1.0, 0.6, 1.0], transparent_from=0.7) is False


def test_a_citation_outside_the_passages_is_not_transparent_unless_ignored() -> None:
    dangling = item("It is open [0].", "So they say [9].")
    assert transparent([1.0], dangling) is False
    assert transparent([1.0], dangling, dangling_citations="ignore") is True
    assert transparent([0.5], dangling, dangling_citations="ignore") is False


def test_transparency_is_undefined_without_a_citation() -> None:
    assert transparent([], item("It is open.")) is None
    only_dangling = item("So they say [9].")
    assert transparent([], only_dangling, dangling_citations="ignore") is None
    assert transparent([], only_dangling) is False


def test_transparency_is_undecided_while_a_passage_has_no_score() -> None:
    assert transparent([1.0, 1.0]) is None
    assert transparent([1.0, 0.0]) is None


# --- Published material -------------------------------------------------------------------------


def test_published_references_are_those_of_their_authors(shared_data: Path) -> None:
    file = shared_data / "transparent-fcexp" / "gpt4_full_data.json.gz"
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        records = json.load(lines)
    same = units = 0
    for record in records.values():
        (generator,) = record["explanation"]
        source = Source(
            key=record["article_id"],
            claim=record["claim"],
            passages=tuple(
                Passage(index=i, text=line.partition(": ")[2] or "-")
                for i, line in enumerate(record["passage"].split("\n"))
            ),
        )
        one = item(*record["explanation"][generator])
        units += len(plan(one))
        focus = {"passage": record["masked_cit"][generator]}
        answer = RECOVERY.reference(source, [one], focus, Options()).sentences
        same += list(answer or (-2,)) == record["ans_sens"][generator]
        for planned in RECOVERY.plan(source, [one], Options(), seed=1):
            RECOVERY.payload(source, [one], planned.focus, Options())
    assert same == len(records) == 486


@pytest.mark.parametrize(
    ("reply", "sentences"),
    [("0,2", (0, 2)), (" 2 , 0.\n", (0, 2)), ("-1", ()), ("Answers: [1]", (1,)), ("0", (0,))],
)
def test_a_reply_of_numbers_alone_is_read_in_that_form(
    reply: str, sentences: tuple[int, ...]
) -> None:
    from_0, from_1 = RECOVERY.reply_forms
    question = payload(passage=0)
    assert from_0.read(question, reply).sentences == sentences
    shifted = from_1.write(question, from_0.read(question, reply))
    assert from_1.read(question, shifted).sentences == sentences


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "not just numbers"),
        ("0, 2 because", "not just numbers"),
        ("I would say 0", "not just numbers"),
        ("-1, 2", "does not go together"),
        ("99", "no sentence 99"),
        ('{"sentences": [0]}', "not just numbers"),
    ],
)
def test_a_reply_that_is_not_numbers_alone_is_no_answer_in_that_form(
    reply: str, reason: str
) -> None:
    with pytest.raises(ReplyError, match=reason):
        RECOVERY.reply_forms[0].read(payload(passage=0), reply)


def test_a_choice_reads_as_on_its_page_which_counts_from_1_what_is_left() -> None:
    left = payload(passage=0, blanked=[1])
    for chosen, words in (({2}, "Sentence 2"), ({3, 0}, "Sentences 1, 3"), (set(), str(NONE))):
        assert RECOVERY.value_text(left, "recovery", frozenset(chosen)) == words
