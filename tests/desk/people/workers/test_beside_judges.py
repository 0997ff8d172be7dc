"""Workers beside judges, and what pages counted: evidence for reviewers, and nothing else."""

import random
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from annotation.answers.record import GivenAnswer, record_answers
from annotation.models import Annotation, LedgerRow, Member, Participation, Rater, Study, User
from desk.worker_records.beside_judges import beside_judges, excesses
from desk.worker_records.paradata import conduct, usual
from estimates.data.options import SIMILARITY
from estimates.models import CachedEstimates
from estimates.report.cache import report_of
from tests.annotation.workers import newcomer
from tests.cast import join, make_study, make_user
from tests.results.answers import make_rater, questions
from tests.sessions import as_user

UNITS, PEOPLE, COPYCAT = 40, 6, 2
PAGES = [("desk:workers", ()), ("desk:worker", (COPYCAT,))]


@pytest.fixture
def study(owner: User, colleague: User) -> Study:
    made = make_study(sources=UNITS, overlap=PEOPLE, blocks=[("slider", {})], collect_paradata=True)
    join(made, owner, Member.Role.OWNER)
    join(made, colleague, Member.Role.VIEWER)
    return made


@pytest.fixture
def reviewer(study: Study) -> User:
    user = make_user("reviewer")
    join(study, user, Member.Role.REVIEWER)
    return user


def answered(study: Study, *, units: int = UNITS) -> list[Participation]:
    """People who answer by themselves, but for one who gives the judge's answers."""
    draw = random.Random(4)
    people = [newcomer(study) for _ in range(PEOPLE)]
    judge = make_rater(study, "lexical", "judge")
    asked = questions(study)[:units]
    truth = [draw.gauss(50, 15) for _ in asked]
    judged = [draw.gauss(value, 12) for value in truth]
    for person in (*people, None):
        own = [draw.gauss(value, 10) for value in truth]
        if person is not None and person.number == COPYCAT:
            own = [draw.gauss(value, 1) for value in judged]
        rater = judge if person is None else person.rater
        values = judged if person is None else own
        given = [
            GivenAnswer(question, question.typed_answer({"value": round(min(max(v, 0), 100), 1)}))
            for question, v in zip(asked, values, strict=True)
        ]
        record_answers(rater=rater, given=given)
    return people


def text(user: User, study: Study, name: str, args: tuple[int, ...], **query: str) -> str:
    page = as_user(user).get(reverse(name, args=[study.slug, *args]), query)
    assert page.status_code == 200
    return re.sub(r"\s+", " ", page.content.decode())


def test_a_reviewer_sees_who_is_closer_to_a_judge_than_expected_with_its_uncertainty(
    study: Study, reviewer: User
) -> None:
    people = answered(study)
    compared = beside_judges(study)
    assert compared is not None
    (copycat,) = compared.of(people[COPYCAT - 1].pseudonym)
    assert copycat.excess.low is not None
    assert copycat.excess.low > 0
    others = [compared.of(one.pseudonym)[0] for one in people if one.number != COPYCAT]
    assert copycat.q is not None
    assert copycat.q < 0.05 < min(one.q or 0 for one in others)
    assert copycat.expected == pytest.approx((copycat.to_judge or 0) - (copycat.excess.value or 0))
    figure = f"{copycat.excess.value:.2f}"
    interval = f"({copycat.excess.low:.2f} to {copycat.excess.high:.2f}"
    for name, args in PAGES:
        page = text(reviewer, study, name, args)
        assert figure in page
        assert interval in page
        assert (
            "It proves nothing by itself" in page
            or "does not show that answers were copied" in page
        )
    first = text(reviewer, study, "desk:workers", (), sort="judges")
    names = re.findall(r'<th scope="row"><a [^>]*>(worker-\d)</a>', first)
    assert names[0] == f"worker-{COPYCAT}"
    assert excesses(study, [one.pk for one in people])[people[1].pk] == copycat.excess.value


def test_a_judge_is_chosen_to_compare_with(study: Study, reviewer: User) -> None:
    answered(study)
    held_out = make_rater(study, "unpublished", "judge")
    draw = random.Random(1)
    given = [
        GivenAnswer(question, question.typed_answer({"value": draw.randint(0, 100)}))
        for question in questions(study)
    ]
    record_answers(rater=held_out, given=given)
    page = text(reviewer, study, "desk:worker", (COPYCAT,))
    assert '<th scope="row">lexical' in page
    assert '<th scope="row">unpublished' in page
    chosen = text(reviewer, study, "desk:worker", (COPYCAT,), judge="unpublished")
    assert '<th scope="row">unpublished' in chosen
    assert '<th scope="row">lexical' not in chosen
    assert "unpublished prompt" in chosen


def test_with_too_few_units_the_page_says_that_it_cannot_be_told(
    study: Study, reviewer: User
) -> None:
    answered(study, units=19)
    page = text(reviewer, study, "desk:worker", (COPYCAT,))
    assert "No figure: fewer than 20 units answered by the judge and other people" in page


def test_without_judges_and_counts_the_pages_say_so(study: Study, reviewer: User) -> None:
    newcomer(study)
    newcomer(study)
    page = text(reviewer, study, "desk:worker", (COPYCAT,))
    assert "No judge has answered the questions that this worker answered" in page
    assert "Not recorded (JavaScript was off, or the counts were erased)" in page
    Study.objects.update(collect_paradata=False)
    assert "Interaction counts are off" in text(reviewer, study, "desk:worker", (COPYCAT,))
    assert "Pasted in" not in text(reviewer, study, "desk:workers", ())


def test_reviewers_alone_see_this(
    study: Study, reviewer: User, outsider: User, colleague: User
) -> None:
    answered(study)
    for name, args in PAGES:
        address = reverse(name, args=[study.slug, *args])
        for user, status in ((outsider, 404), (colleague, 403), (reviewer, 200)):
            assert as_user(user).get(address).status_code == status


def test_nothing_follows_from_it(study: Study, reviewer: User) -> None:
    answered(study)
    state = dict(Participation.objects.values_list("pk", "state"))
    for name, args in PAGES:
        text(reviewer, study, name, args)
    assert dict(Participation.objects.values_list("pk", "state")) == state
    assert not Annotation.objects.exclude(excluded_reason="").exists()
    assert not LedgerRow.objects.exists()


def test_no_rule_exclusion_or_payment_reads_it() -> None:
    root = Path(settings.BASE_DIR)
    deciding = [
        *(root / "annotation" / "work" / f"{name}.py" for name in DECIDING),
        *(root / "desk" / "pay").glob("*.py"),
        *(root / "desk" / "reviews").glob("*.py"),
        *(root / "annotation" / "messages").glob("*.py"),
    ]
    for module in deciding:
        words = module.read_text(encoding="utf-8")
        assert "paradata" not in words, module
        assert "judge_likeness" not in words, module
        assert "beside_judges" not in words, module


DECIDING = ("qualification", "review", "exclusion", "ledger", "assignment", "leases", "composition")


def test_counts_stand_beside_what_is_usual(study: Study, reviewer: User) -> None:
    people = answered(study)
    for person in people:
        counts = {"pastes": 0, "blurs": 1, "keystrokes": 10 * person.number, "edits": 2}
        answers = Annotation.objects.filter(rater=person.rater)
        answers.update(paradata=counts | {"bursts": 3})
        few = answers.values_list("pk", flat=True)[: 10 if person.number == COPYCAT else 0]
        Annotation.objects.filter(pk__in=list(few)).update(
            paradata=counts | {"bursts": 3, "pastes": 1}
        )
    unknown = Annotation.objects.filter(rater=people[1].rater).last()
    assert unknown is not None
    Annotation.objects.filter(pk=unknown.pk).update(paradata=None)
    each = conduct(study)
    own, others = each.pop(people[1].pk), usual(each.values())
    assert others is not None
    assert (own.answers, own.recorded, own.pasted, own.left) == (UNITS, UNITS - 1, 10, UNITS - 1)
    assert (own.keystrokes, own.edits, own.bursts) == (20, 2, 3)
    # Of the others the keystrokes are 10, 30, 40, 50 and 60 an answer.
    assert (others.workers, others.keystrokes, others.pasted_share) == (5, 40, 0)
    assert len(conduct(study)) == PEOPLE
    page = text(reviewer, study, "desk:worker", (COPYCAT,))
    assert f"Recorded for {UNITS - 1} of {UNITS} answers" in page
    assert "These counts alone prove nothing" in page
    assert f"10 of {UNITS - 1}" in text(reviewer, study, "desk:workers", ())


def test_the_figures_are_kept_and_go_with_the_answers_they_were_made_of(study: Study) -> None:
    people = answered(study)
    report = report_of(study, SIMILARITY)
    assert CachedEstimates.objects.get().revision == report.revision
    names = {row.raters for row in report.rows}
    assert names == {f"{person.pseudonym}~lexical" for person in people}
    Rater.objects.filter(name="lexical").delete()
    study.touch()
    compared = beside_judges(study)
    assert compared is not None
    assert not compared.by_rater
