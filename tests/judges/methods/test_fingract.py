"""FinGrAct: the rubric in steps, with what is found at the links."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from judges.backends.contract import Failure
from judges.methods.asks import Ask, AskOutcome
from judges.methods.fingract import FinGrAct
from retrieval.page import Page, PageOutcome
from tasktypes.actionability import ACTIONABILITY
from tasktypes.actionability.metrics import score
from tasktypes.actionability.schema import Answer, Options, Payload
from tasktypes.contract import TaskType
from tasktypes.likert import LIKERT
from tasktypes.slider import SLIDER
from tasktypes.texts.material import Item
from tests.judges.methods.conversations import ask, prompt, ready, steps

GIVEN = ACTIONABILITY.example
LINK = "https://orchard.example/felled"
OTHER = "https://orchard.example/map"
FELLED = "Six trees were felled in January. The parish had asked for it. All others stand."


class Web:
    """Pages for the links of a test; a page that is asked for twice was not shared."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self.pages, self.memory, self.asked = pages, dict[str, Page](), list[str]()

    def kept(self, url: str, *, max_age_days: int | None = None) -> Page | None:
        return self.memory.get(url)

    def keep(self, page: Page) -> None:
        self.memory[page.url] = page

    async def retrieve(self, url: str) -> Page:
        self.asked.append(url)
        await asyncio.sleep(0)
        return self.pages[url]


def page(outcome: PageOutcome, text: str = "", url: str = LINK) -> Page:
    reason = "" if outcome == PageOutcome.FOUND else "as the test has it"
    return Page(url=url, outcome=outcome, reason=reason, text=text, sha256="0" * 64, title="Felled")


def payload(errors: int = 2, links: tuple[str, ...] = (LINK,)) -> Payload:
    focus = {"errors": GIVEN.focus["errors"][:errors], "links": list(links)}
    return ACTIONABILITY.payload(GIVEN.source, GIVEN.items, focus, Options())


def explained(*answers: str) -> dict[str, Any]:
    """Errors as "yn": pointed out, not corrected."""
    return {
        "errors": [
            {"error": i, "points_out": one[0] == "y", "corrects": one[1] == "y"}
            for i, one in enumerate(answers)
        ]
    }


def linked(answers: Mapping[int, str]) -> dict[str, Any]:
    """Links as "yyn": exists, relevant, no support."""
    return {
        "links": [
            {
                "link": i,
                "exists": one[0] == "y",
                "relevant": one[1] == "y",
                "supports": one[2] == "y",
            }
            for i, one in answers.items()
        ]
    }


OWN = {
    "subclaims": ["The town felled trees.", "All forty trees were felled."],
    "errors": [GIVEN.focus["errors"][0], GIVEN.focus["errors"][1], GIVEN.focus["errors"][0]],
}
GOOD = {
    "explanation": explained("yy", "nn"),
    "links": linked({0: "yyn"}),
    "errors": OWN,
    "own explanation": explained("yy", "yn", "nn"),
}
EXISTING = Web({LINK: page(PageOutcome.FOUND, FELLED)})


def outcome(
    folder: Path,
    replies: Mapping[str, Any] = GOOD,
    web: Web | None = None,
    question: Payload | None = None,
    **parameters: Any,
) -> AskOutcome:
    web = web or Web(EXISTING.pages)
    method = ready(FinGrAct, folder, replies, web, **{"summary": "beginning", **parameters})
    return method.answer(ask(ACTIONABILITY, question or payload()))


def answer(found: AskOutcome) -> Answer:
    assert isinstance(found.answer, Answer), found.replies[-1].error
    return found.answer


# --- The answer -----------------------------------------------------------------------------------


def test_explanation_and_links_make_the_answer(tmp_path: Path) -> None:
    found = outcome(tmp_path)
    assert answer(found) == Answer.model_validate(GIVEN.answer)
    assert steps(found) == ["explanation", "pages", "links"]
    ACTIONABILITY.check(payload(), answer(found))


def test_the_explanation_is_judged_by_the_listed_errors(tmp_path: Path) -> None:
    said = prompt(outcome(tmp_path), "explanation")
    assert "0: All forty trees were felled." in said
    assert "What is right: The parish felled the trees." in said
    assert "Only six trees were felled, all of them damaged by a storm." in said


def test_temperature_is_nought_unless_it_is_set(tmp_path: Path) -> None:
    found = outcome(tmp_path)
    assert {r.request["temperature"] for r in found.replies if r.step != "pages"} == {0.0}


def test_without_links_nobody_is_asked_about_any(tmp_path: Path) -> None:
    found = outcome(tmp_path, question=payload(links=()))
    assert steps(found) == ["explanation"]
    assert answer(found).links == ()


def test_without_errors_only_the_links_are_asked_about(tmp_path: Path) -> None:
    found = outcome(tmp_path, question=payload(errors=0))
    assert steps(found) == ["pages", "links"]
    assert answer(found).errors == ()
    assert "No error in the claim is listed" in prompt(found, "links")


# --- What is found at the links -------------------------------------------------------------------


def test_the_text_of_the_page_is_told_and_what_was_seen_is_kept(tmp_path: Path) -> None:
    found = outcome(tmp_path)
    said = prompt(found, "links")
    assert f"0: {LINK}\n   Found: a page with text.\n   Title: Felled\n   Text: {FELLED}" in said
    record = found.replies[1].detail["pages"][0]
    assert (record["outcome"], record["sha256"]) == ("found", "0" * 64)
    assert record["characters"] == record["characters_told"] == len(FELLED)
    assert found.replies[1].text == "0: found"


def test_a_long_page_is_told_in_part(tmp_path: Path) -> None:
    web = Web({LINK: page(PageOutcome.FOUND, FELLED * 50)})
    found = outcome(tmp_path, web=web, page_tokens=20)
    record = found.replies[1].detail["pages"][0]
    assert record["characters"] == 50 * len(FELLED)
    assert 0 < record["characters_told"] <= 80


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (PageOutcome.NO_CONTENT, "a page without content that can be read"),
        (PageOutcome.DENIED, "a page that is not shown to everybody"),
        (PageOutcome.TOO_LARGE, "a page that is too large"),
        (PageOutcome.TIMEOUT, "no answer in time (as the test has it); whether there is a page is"),
        (PageOutcome.FAILED, "a failure"),
        (PageOutcome.NOT_RETRIEVED, "it could not be retrieved (as the test has it); whether"),
        (PageOutcome.DISALLOWED, "it may not be retrieved (as the test has it); whether"),
        (PageOutcome.TOO_MANY_REDIRECTS, "only redirects"),
    ],
)
def test_a_page_that_cannot_be_read_is_told_as_such_and_still_judged(
    tmp_path: Path, kind: PageOutcome, told: str
) -> None:
    found = outcome(tmp_path, web=Web({LINK: page(kind)}))
    assert told in prompt(found, "links")
    assert answer(found).links[0].relevant
    assert found.replies[1].text == f"0: {kind}"


@pytest.mark.parametrize("kind", [PageOutcome.NOT_FOUND, PageOutcome.REFUSED])
def test_nobody_is_asked_about_a_page_that_is_not_there(tmp_path: Path, kind: PageOutcome) -> None:
    found = outcome(tmp_path, web=Web({LINK: page(kind)}))
    assert steps(found) == ["explanation", "pages"]
    link = answer(found).links[0]
    assert (link.exists, link.relevant, link.supports) == (False, False, False)
    assert found.replies[1].text == f"0: {kind}"


def test_links_keep_their_numbers_where_some_are_not_there(tmp_path: Path) -> None:
    web = Web({LINK: page(PageOutcome.NOT_FOUND), OTHER: page(PageOutcome.FOUND, FELLED, OTHER)})
    found = outcome(
        tmp_path,
        {**GOOD, "links": linked({1: "yyy"})},
        web,
        payload(links=(LINK, OTHER)),
    )
    assert [one.exists for one in answer(found).links] == [False, True]
    assert LINK not in prompt(found, "links")


@pytest.mark.parametrize(
    ("kind", "said", "exists"),
    [
        (PageOutcome.FOUND, "nyy", True),
        (PageOutcome.NO_CONTENT, "nyy", True),
        (PageOutcome.TIMEOUT, "nyy", False),
        (PageOutcome.TIMEOUT, "yyy", True),
    ],
)
def test_whether_a_page_exists_is_a_fact_where_it_was_found_out(
    tmp_path: Path, kind: PageOutcome, said: str, exists: bool
) -> None:
    found = outcome(tmp_path, {**GOOD, "links": linked({0: said})}, Web({LINK: page(kind)}))
    assert answer(found).links[0].exists is exists


def test_the_model_may_be_believed_about_existence_instead(tmp_path: Path) -> None:
    replies = {**GOOD, "links": linked({0: "yyy"})}
    web = Web({LINK: page(PageOutcome.NOT_FOUND)})
    found = outcome(tmp_path, replies, web, exists="model")
    assert answer(found).links[0].exists
    assert "Found: no page" in prompt(found, "links")


def test_links_need_not_be_gone_to(tmp_path: Path) -> None:
    web = Web({})
    found = outcome(tmp_path, web=web, pages="none")
    assert steps(found) == ["explanation", "links"]
    assert web.asked == []
    assert "Found:" not in prompt(found, "links")


def test_a_run_without_a_way_to_the_web_fails_the_question(tmp_path: Path) -> None:
    method = ready(FinGrAct, tmp_path, GOOD, summary="beginning")
    found = method.answer(ask(ACTIONABILITY, payload()))
    assert found.answer is None
    assert "cannot retrieve" in found.replies[-1].error


def test_a_link_is_gone_to_once_for_all_questions(tmp_path: Path) -> None:
    web = Web(EXISTING.pages)
    method = ready(FinGrAct, tmp_path, GOOD, web, summary="beginning")
    asks = [ask(ACTIONABILITY, payload()) for _ in range(5)]
    assert len([one for one in method.answers(asks) if one.answer]) == 5
    list(method.answers(asks))
    assert web.asked == [LINK]


# --- Errors of its own ----------------------------------------------------------------------------


def test_its_own_errors_are_judged_apart_and_kept_with_their_score(tmp_path: Path) -> None:
    found = outcome(tmp_path, errors="own")
    assert answer(found) == Answer.model_validate(GIVEN.answer)
    assert steps(found) == ["errors", "explanation", "own explanation", "pages", "links"]
    assert "[0] Six of the orchard's forty trees" in prompt(found, "errors")
    own = found.replies[-1].detail["own"]
    assert [one["points_out"] for one in own["errors"]] == [True, True, False]
    # Some of the errors, some of the corrections, some of the answers about links: (1 + 1 + 1)·5/6
    assert own["scores"]["fingract_score"] == 2.5


def test_where_none_is_listed_its_own_corrections_are_what_links_should_support(
    tmp_path: Path,
) -> None:
    found = outcome(tmp_path, question=payload(errors=0), errors="own")
    assert steps(found) == ["errors", "own explanation", "pages", "links"]
    assert "- Six trees were felled." in prompt(found, "links")
    assert answer(found).errors == ()


def test_a_claim_in_which_it_finds_nothing_false_has_no_score_of_its_own(tmp_path: Path) -> None:
    replies = {**GOOD, "errors": {"subclaims": ["It stands."], "errors": []}}
    found = outcome(tmp_path, replies, errors="own")
    assert "own explanation" not in steps(found)
    assert found.replies[-1].detail["own"]["scores"]["fingract_score"] is None


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "empty"),
        ('{"subclaims": ["a"], "errors": [{"sentence": "a"', "malformed"),
        ({"subclaims": ["a"], "errors": [{"sentence": "a", "reason": "b"}]}, "correction"),
        ({"subclaims": [], "errors": []}, "subclaims"),
        ('[{"sentence": "a", "reason": "b", "correction": "c"}]', "subclaims"),
        ("The claim is false.", "no JSON object"),
    ],
)
def test_a_list_of_errors_that_cannot_be_read_ends_the_question_with_the_reply(
    tmp_path: Path, reply: Any, reason: str
) -> None:
    found = outcome(tmp_path, {**GOOD, "errors": reply}, errors="own")
    assert found.answer is None
    assert steps(found) == ["errors"]
    last = found.replies[-1]
    assert last.failure == Failure.PARSE_FAILURE
    assert reason in last.error
    assert last.text == (reply if isinstance(reply, str) else last.text) != "default"


# --- Replies that are no answer -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "reply", "reason"),
    [
        ("explanation", explained("yy"), "error 1 is not answered"),
        ("explanation", explained("yy", "yy", "nn"), "no error 2"),
        ("explanation", {"errors": explained("yy")["errors"] * 2}, "answered twice"),
        ("explanation", {"errors": [{"error": 0, "points_out": "partly", "corrects": True}]},
         "points_out"),
        ("links", linked({1: "yyy"}), "no link 1"),
        ("links", linked({}), "link 0 is not answered"),
        ("links", '{"links": "all good"}', "links"),
    ],
)  # fmt: skip
def test_an_incomplete_reply_is_no_answer(
    tmp_path: Path, step: str, reply: Any, reason: str
) -> None:
    found = outcome(tmp_path, {**GOOD, step: reply})
    assert found.answer is None
    last = found.replies[-1]
    assert (last.failure, last.step) == (Failure.PARSE_FAILURE, step)
    assert reason in last.error


# --- The score, by hand ---------------------------------------------------------------------------

CASES = [
    # errors and corrections, links, score: (E + C + L) · 5/6
    (("yy", "yy"), "yyy", 5.0),  # (2 + 2 + 2) · 5/6
    (("nn", "nn"), "nnn", 0.0),
    (("yn", "nn"), "nnn", 5 / 6),  # (1 + 0 + 0) · 5/6
    (("yn", "yn"), "yyn", 15 / 6),  # (2 + 0 + 1) · 5/6
    (("yy", "yn"), "yyy", 25 / 6),  # (2 + 1 + 2) · 5/6
    (("yy", "ny"), "ynn", 20 / 6),  # (1 + 2 + 1) · 5/6
    (("ny", "ny"), "nyn", 15 / 6),  # (0 + 2 + 1) · 5/6
]


@pytest.mark.parametrize(("errors", "link", "expected"), CASES)
def test_the_score_of_an_answer(
    tmp_path: Path, errors: tuple[str, str], link: str, expected: float
) -> None:
    replies = {"explanation": explained(*errors), "links": linked({0: link})}
    found = answer(outcome(tmp_path, replies, pages="none"))
    value = score(found, link_score="tiers").value
    assert value == pytest.approx(expected, abs=1e-12)
    rated = {one.facet: one.value for one in ACTIONABILITY.ratings(payload(), found)}
    assert rated["actionability"] == value


# --- What it costs, what it shows, what it keeps --------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "question", "calls"),
    [
        ({}, payload(), 3),  # explanation, pages, links
        ({"pages": "none"}, payload(), 2),
        ({"errors": "own"}, payload(), 5),
        ({"errors": "own"}, payload(errors=0), 4),
        ({}, payload(links=()), 1),
    ],
)
def test_the_plan_counts_the_steps_and_the_way_to_the_links(
    tmp_path: Path, parameters: dict[str, Any], question: Payload, calls: int
) -> None:
    method = ready(FinGrAct, tmp_path, GOOD, EXISTING, **{"summary": "beginning", **parameters})
    asked = ask(ACTIONABILITY, question)
    cost = method.plan(asked)
    assert cost.calls == calls == len(method.answer(asked).replies)
    assert (cost.tokens_in or 0) > 0


def test_the_page_shows_every_prompt_that_is_used(tmp_path: Path) -> None:
    plain = ready(FinGrAct, tmp_path, GOOD, summary="beginning").prompt_text(ACTIONABILITY)
    own = ready(FinGrAct, tmp_path, GOOD, summary="beginning", errors="own")
    assert "Explanation:" in plain
    assert "Links:" in plain
    assert "split the claim into subclaims" not in plain
    assert "split the claim into subclaims" in own.prompt_text(ACTIONABILITY)


def test_the_model_of_the_summaries_is_pinned(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra `models` is not installed")
    settled = FinGrAct.resolve_parameters(FinGrAct.Parameters())
    assert settled.embedding_revision.startswith("sha256:")
    assert FinGrAct.resolve_parameters(settled) == settled
    with pytest.raises(ValueError, match="embedding"):
        FinGrAct.resolve_parameters(FinGrAct.Parameters(embedding="/no/such/folder"))
    assert FinGrAct.resolve_parameters(FinGrAct.Parameters(pages="none")).embedding_revision == ""


def test_a_page_is_told_in_the_sentences_that_matter_with_real_vectors(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra `models` is not installed")
    text = (
        "Cookies help us to show you this page. Tea and cake are served on Sundays in the hall. "
        "Only six of the apple trees in the orchard were felled after the storm. "
        "The choir rehearses on Tuesdays at seven, and newcomers are welcome to listen. "
    )
    web = Web({LINK: page(PageOutcome.FOUND, text)})
    found = outcome(tmp_path, web=web, page_tokens=22, summary="relevant")
    assert "Text: Only six of the apple trees in the orchard" in prompt(found, "links")
    assert "choir" not in prompt(found, "links")


# --- A score in place of the rubric ---------------------------------------------------------------

HOLISTIC = {"facet": "holistic", "low": 0.0, "high": 5.0}
SCORED = {
    "errors": {"subclaims": ["a"], "errors": OWN["errors"][:2]},
    "own explanation": explained("yy", "yn"),
    "links": linked({0: "yyn"}),
}


def to_score(
    kind: TaskType[Any, Any, Any],
    options: Mapping[str, Any],
    *items: Item,
    claim: str | None = None,
) -> Ask:
    source = GIVEN.source if claim is None else GIVEN.source.model_copy(update={"claim": claim})
    typed = kind.Options.model_validate(options)
    return ask(kind, kind.payload(source, items or GIVEN.items, {}, typed))


def criteria(*points: Sequence[Any], **options: Any) -> dict[str, Any]:
    listed = [
        {
            "key": f"quality_{at}",
            "question": "How good?",
            "distance": "nominal" if isinstance(values[0], str) else "ordinal",
            "points": [{"value": value} for value in values],
        }
        for at, values in enumerate(points)
    ]
    return {"criteria": listed, **options}


def test_a_question_about_a_score_gets_the_published_pipelines_own(tmp_path: Path) -> None:
    method = ready(FinGrAct, tmp_path, SCORED, Web(EXISTING.pages), summary="beginning")
    asked = to_score(SLIDER, HOLISTIC)
    found = method.answer(asked)
    assert steps(found) == ["errors", "own explanation", "pages", "links"]
    # All of the errors, one of the corrections, some of the answers about links: (2 + 1 + 1)·5/6
    assert found.answer is not None
    assert found.answer.model_dump() == {"value": pytest.approx(20 / 6, abs=1e-12)}
    own = found.replies[-1].detail["own"]
    assert own["scores"]["fingract_score"] == pytest.approx(20 / 6, abs=1e-12)
    assert [one["corrects"] for one in own["errors"]] == [True, False]
    assert own["links"] == [{"link": 0, "exists": True, "relevant": True, "supports": False}]
    assert GIVEN.source.claim in prompt(found, "errors")
    assert method.plan(asked).calls == len(found.replies)


@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        (SLIDER, {"low": 0, "high": 100}, 100 * 2 / 3),  # 20/6 of 5 is 2/3
        (SLIDER, {"low": -1, "high": 1}, 1 / 3),
        (LIKERT, criteria((1, 2, 3, 4, 5)), 1 + 4 * 2 / 3),
    ],
)
def test_its_score_is_spread_evenly_over_the_scale(
    tmp_path: Path, kind: TaskType[Any, Any, Any], options: dict[str, Any], expected: float
) -> None:
    method = ready(FinGrAct, tmp_path, SCORED, Web(EXISTING.pages), summary="beginning")
    asked = to_score(kind, options)
    found = method.answer(asked)
    assert found.answer is not None, found.replies[-1].error
    kind.check_between(asked.payload, found.answer)
    (rating,) = kind.ratings(asked.payload, found.answer)
    assert rating.value == pytest.approx(expected, abs=1e-9)


def test_where_it_finds_no_error_there_is_no_score_and_the_question_fails(tmp_path: Path) -> None:
    replies = {**SCORED, "errors": {"subclaims": ["It stands."], "errors": []}}
    found = ready(FinGrAct, tmp_path, replies, summary="beginning").answer(to_score(SLIDER, {}))
    assert found.answer is None
    assert steps(found) == ["errors"]
    assert found.replies[-1].failure == Failure.ERROR
    assert "no error in the claim, so that the score is undefined" in found.replies[-1].error


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (criteria((1, 2, 3), (1, 2, 3)), "one score, but 2 criteria"),
        (criteria(("good", "bad")), "are names"),
        (criteria((1, 2, 3)), ""),
    ],
)
def test_a_block_of_scores_must_have_one_number(
    tmp_path: Path, options: dict[str, Any], reason: str
) -> None:
    facets = LIKERT.facets(LIKERT.Options.model_validate(options))
    objection = ready(FinGrAct, tmp_path, SCORED, summary="beginning").objection(LIKERT, facets)
    assert reason in objection
    assert bool(objection) == bool(reason)


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (to_score(LIKERT, criteria((1, 2, 3), per_sentence=True)), "one whole text"),
        (to_score(SLIDER, {}, claim=""), "no claim"),
    ],
)
def test_what_it_cannot_score_is_refused_when_the_run_is_planned(
    tmp_path: Path, asked: Ask, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        ready(FinGrAct, tmp_path, SCORED, summary="beginning").plan(asked)
