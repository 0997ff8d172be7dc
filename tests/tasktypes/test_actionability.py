from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict

from tasktypes.actionability import ACTIONABILITY
from tasktypes.actionability.form import RubricForm
from tasktypes.actionability.links import links_in
from tasktypes.actionability.metrics import score, tier
from tasktypes.actionability.schema import Answer, ErrorAnswer, LinkAnswer, Options, Payload
from tasktypes.machines.replies import ReplyError
from tasktypes.texts.material import Item, Sentence, Source

SOURCE = Source(key="ferry", claim="The ferry sank in May with all its cars.", verdict="false")
ITEM = Item(
    key="ferry/larch",
    sentences=(
        Sentence(text="It still sails (https://ferry.example/today)."),
        Sentence(text="It never carried cars, see https://ferry.example/fleet."),
    ),
)
PLAIN = Item(key="ferry/birch", sentences=(Sentence(text="The claim is false."),))
ERRORS = [
    {"sentence": "It sank.", "reason": "It sails daily.", "correction": "It has not sunk."},
    {"sentence": "It had cars.", "reason": "It has no deck for cars.", "correction": "No cars."},
]


def payload(focus: Mapping[str, Any] | None = None, item: Item = ITEM, **options: Any) -> Payload:
    focus = {"errors": ERRORS} if focus is None else focus
    return ACTIONABILITY.payload(SOURCE, [item], focus, Options(**options))


def rubric(errors: Sequence[str], links: Sequence[str] = ()) -> Answer:
    """Errors as "yn": pointed out, not corrected; links as "yyn": exists, relevant, no support."""
    return Answer(
        errors=tuple(
            ErrorAnswer(error=i, points_out=e[0] == "y", corrects=e[1] == "y")
            for i, e in enumerate(errors)
        ),
        links=tuple(
            LinkAnswer(link=i, exists=e[0] == "y", relevant=e[1] == "y", supports=e[2] == "y")
            for i, e in enumerate(links)
        ),
    )


# --- The score, by hand ---------------------------------------------------------------------------


@pytest.mark.parametrize(("answers", "points"), [("n", 0), ("nn", 0), ("yn", 1), ("yy", 2)])
def test_none_some_and_all_are_nought_one_and_two_points(answers: str, points: int) -> None:
    assert tier([one == "y" for one in answers]) == points


@pytest.mark.parametrize(
    ("errors", "links", "value"),
    [
        (["yy"], ["yyy"], 5.0),  # (2 + 2 + 2) * 5/6
        (["nn"], ["nnn"], 0.0),
        (["yy", "yn"], ["yyy"], 25 / 6),  # (2 + 1 + 2) * 5/6
        (["yn", "nn"], ["yyn"], 10 / 6),  # (1 + 0 + 1) * 5/6
        (["yy"], ["yyy", "nnn"], 25 / 6),  # three of six answers about links: 1
        (["yy"], [], 20 / 6),  # no links: (2 + 2 + 0) * 5/6
    ],
)
def test_the_score_is_the_sum_of_three_parts_times_five_sixths(
    errors: list[str], links: list[str], value: float
) -> None:
    assert score(rubric(errors, links), link_score="tiers").value == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(
    ("links", "points"),
    [
        (["yyy"], 2.0),  # 1 + 1/2 + 1/2
        (["ynn"], 1.0),
        (["yyn"], 1.5),
        (["yyy", "ynn"], 1.5),  # 1 + 1/4 + 1/4
        (["yyy", "nnn", "nnn"], 2 / 3),  # 1/3 + 1/6 + 1/6
        ([], 0.0),
    ],
)
def test_weighted_links_count_what_exists_twice(links: list[str], points: float) -> None:
    found = score(rubric(["yy"], links), link_score="weighted")
    assert found.links == pytest.approx(points, abs=1e-12)
    assert found.value == pytest.approx((4 + points) * 5 / 6, abs=1e-12)


def test_without_listed_errors_there_is_no_score() -> None:
    found = score(rubric([], ["yyy"]), link_score="tiers")
    assert (found.value, found.errors, found.corrections, found.links) == (None, None, None, 2.0)


def test_an_explanation_without_links_is_told_apart_from_one_with_bad_links() -> None:
    assert not score(rubric(["yy"]), link_score="tiers").has_links
    assert score(rubric(["yy"], ["nnn"]), link_score="tiers").has_links


# --- Links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("See https://a.example/b.", ["https://a.example/b"]),
        ("See (https://a.example/b), or not.", ["https://a.example/b"]),
        ("[here](https://a.example/b)[3] and **http://a.example/c?d=1&e=2#f**",
         ["https://a.example/b", "http://a.example/c?d=1&e=2#f"]),
        ("https://a.example/ferry_(boat)", ["https://a.example/ferry_(boat)"]),
        ("(https://a.example/ferry_(boat))", ["https://a.example/ferry_(boat)"]),
        ("https://a.example/b[2] again https://a.example/b", ["https://a.example/b"]),
        ("<https://a.example>; HTTPS://B.EXAMPLE/", ["https://a.example", "HTTPS://B.EXAMPLE/"]),
        ("“https://a.example/b”…", ["https://a.example/b"]),
        ("https:// or ftp://a.example or a.example/b", []),
    ],
)  # fmt: skip
def test_links_are_read_without_the_punctuation_around_them(text: str, links: list[str]) -> None:
    assert links_in([text]) == tuple(links)


# --- The question ---------------------------------------------------------------------------------


def test_links_are_those_of_the_text_unless_the_unit_lists_its_own() -> None:
    assert payload().links == ("https://ferry.example/today", "https://ferry.example/fleet")
    own = payload({"errors": ERRORS, "links": ["http://other.example/"]})
    assert own.links == ("http://other.example/",)
    assert payload({"errors": ERRORS, "links": []}).links == ()


def test_what_another_block_asks_about_does_not_matter() -> None:
    assert payload({"errors": ERRORS, "passage": 3}) == payload()


def test_an_item_without_a_link_waits_for_the_errors_of_its_claim() -> None:
    units = ACTIONABILITY.plan(SOURCE, [ITEM, PLAIN], Options(), seed=1)
    assert [unit.items for unit in units] == [(ITEM,), (PLAIN,)]
    assert payload({}).errors == ()
    for item, focus, awaits in (
        (ITEM, {}, False),
        (PLAIN, {}, True),
        (PLAIN, {"errors": []}, True),
        (PLAIN, {"errors": ERRORS}, False),
        (ITEM, {"links": []}, True),
        (PLAIN, {"links": ["http://other.example/"]}, False),
    ):
        assert ACTIONABILITY.awaits_list([item], focus, Options()) is awaits


def test_a_unit_with_neither_errors_nor_links_is_refused() -> None:
    with pytest.raises(ValueError, match=r"focus\.errors: none"):
        payload({}, PLAIN)


@pytest.mark.parametrize(
    ("focus", "field"),
    [
        ({"errors": "It sank."}, "focus.errors"),
        ({"errors": [{"sentence": "It sank.", "reason": "No."}]}, r"focus\.errors\.0\.correction"),
        ({"errors": [{**ERRORS[0], "reason": " "}]}, r"focus\.errors\.0\.reason"),
        ({"errors": [{**ERRORS[0], "label": 1}]}, r"focus\.errors\.0\.label"),
        ({"links": ["javascript:alert(1)"]}, r"focus\.links\.0"),
        ({"links": ["https://"]}, r"focus\.links\.0"),
        ({"links": ["https://a.example/b c"]}, r"focus\.links\.0"),
        ({"links": ["https://[a.example"]}, r"focus\.links\.0"),
        ({"links": [7]}, r"focus\.links\.0"),
        ({"links": ["https://a.example", "https://a.example"]}, r"focus\.links: .* twice"),
    ],
)
def test_a_unit_that_cannot_be_asked_about_is_refused_with_the_field(
    focus: dict[str, Any], field: str
) -> None:
    with pytest.raises(ValueError, match=field):
        payload(focus)


def test_a_question_is_about_one_item() -> None:
    with pytest.raises(ValueError, match="items"):
        ACTIONABILITY.payload(SOURCE, [ITEM, PLAIN], {"errors": ERRORS}, Options())


# --- Answers --------------------------------------------------------------------------------------


def test_every_yes_and_no_is_a_rating_of_its_element_and_the_score_one_of_the_whole() -> None:
    ratings = ACTIONABILITY.ratings(payload(), rubric(["yy", "ny"], ["yyn", "ynn"]))
    assert [(one.facet, one.element, one.value) for one in ratings] == [
        ("error", "0", "yes"),
        ("correction", "0", "yes"),
        ("error", "1", "no"),
        ("correction", "1", "yes"),
        ("link_exists", "0", "yes"),
        ("link_relevant", "0", "yes"),
        ("link_supports", "0", "no"),
        ("link_exists", "1", "yes"),
        ("link_relevant", "1", "no"),
        ("link_supports", "1", "no"),
        ("actionability", "", pytest.approx(20 / 6)),  # (1 + 2 + 1) * 5/6
    ]


def test_the_option_decides_how_links_count() -> None:
    answer = rubric(["yy", "yy"], ["yyn", "yyn"])
    scores = [
        ACTIONABILITY.ratings(payload(link_score=name), answer)[-1].value
        for name in ("tiers", "weighted")
    ]
    assert scores == [pytest.approx(25 / 6), pytest.approx(5.5 * 5 / 6)]


def test_without_listed_errors_no_score_is_among_the_ratings() -> None:
    ratings = ACTIONABILITY.ratings(payload({}), rubric([], ["yyy", "yyy"]))
    assert {one.facet for one in ratings} == {"link_exists", "link_relevant", "link_supports"}


@pytest.mark.parametrize(
    ("errors", "links", "reason"),
    [
        (["yy"], ["yyy", "yyy"], "errors: number 1 is missing"),
        (["yy", "yy"], ["yyy"], "links: number 1 is missing"),
        (["yy", "yy", "yy"], ["yyy", "yyy"], "errors: there is no number 2"),
        (["yy", "yy"], ["yyy", "yyy", "yyy"], "links: there is no number 2"),
    ],
)
def test_half_a_rubric_is_no_answer(errors: list[str], links: list[str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ACTIONABILITY.check(payload(), rubric(errors, links))


def test_an_error_answered_twice_is_refused() -> None:
    twice = [{"error": 0, "points_out": True, "corrects": True}] * 2
    with pytest.raises(ValueError, match="error 0 is answered twice"):
        Answer.model_validate({"errors": twice, "links": []})


# --- The form -------------------------------------------------------------------------------------

WHOLE = {
    **{f"{name}-{i}": "yes" for name in ("error", "correction") for i in (0, 1)},
    **{f"{name}-{i}": "no" for name in ("exists", "relevant", "supports") for i in (0, 1)},
}


def form(posted: Mapping[str, str]) -> RubricForm:
    return RubricForm(payload(), MultiValueDict({name: [value] for name, value in posted.items()}))


def test_a_whole_rubric_is_the_answer() -> None:
    filled = form({**WHOLE, "correction-1": "no", "exists-0": "yes"})
    assert filled.is_valid()
    assert filled.answer() == rubric(["yy", "yn"], ["ynn", "nnn"])


@pytest.mark.parametrize("name", WHOLE)
def test_half_a_rubric_is_refused_beside_the_question_and_the_rest_is_kept(name: str) -> None:
    half = form({key: value for key, value in WHOLE.items() if key != name})
    assert not half.is_valid()
    assert [refusal.id for refusal in half.refusals()] == [name]
    html = render_to_string("pages/refused.html", {"form": half})
    html += render_to_string(ACTIONABILITY.template, {"form": half})
    assert f'id="{name}" aria-describedby="{name}-error"' in html
    assert f'href="#{name}"' in html
    assert html.count(" checked") == len(WHOLE) - 1


def test_an_answer_that_was_not_offered_is_refused() -> None:
    assert form({**WHOLE, "error-0": "partly"}).has_error("error-0", "invalid_choice")


def test_links_open_elsewhere_and_give_nothing_away() -> None:
    html = render_to_string(ACTIONABILITY.template, {"form": RubricForm(payload())})
    assert html.count('rel="noopener noreferrer nofollow" referrerpolicy="no-referrer"') == 2


def test_an_explanation_without_links_says_so() -> None:
    question = payload({"errors": ERRORS}, PLAIN)
    html = render_to_string(ACTIONABILITY.template, {"form": RubricForm(question)})
    assert "gives no link" in html


# --- Machines -------------------------------------------------------------------------------------


def test_the_prompt_lists_errors_and_links_by_number() -> None:
    prompt = ACTIONABILITY.prompt(payload())
    assert "1: It had cars.\n   Why it is false: It has no deck for cars." in prompt
    assert "1: https://ferry.example/fleet" in prompt
    assert "Links that the explanation gives, numbered from 0:\n(none)" in ACTIONABILITY.prompt(
        payload({"errors": ERRORS}, PLAIN)
    )


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ('{"errors": [], "links": []}', "errors: number 0 is missing"),
        ('{"errors": [{"error": 0, "points_out": "yes", "corrects": true}], "links": []}', "valid"),
        ('{"errors": [{"error": 0, "points_out": true}], "links": []}', "corrects"),
        ('{"links": []}', "errors"),
    ],
)
def test_a_reply_with_half_a_rubric_is_no_answer(reply: str, reason: str) -> None:
    with pytest.raises(ReplyError, match=reason):
        ACTIONABILITY.parse_reply(payload(), reply)
