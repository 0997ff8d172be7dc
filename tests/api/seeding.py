"""A study in which each collection of the API has a row."""

from datetime import timedelta

from django.utils import timezone

from accounts.invitations import invite_colleague
from alerts.announcements import announce_test
from alerts.models import Alert
from alerts.webhooks import set_webhook
from annotation.entry.invitations import invite_many
from annotation.models import (
    AdjudicationCase,
    Assignment,
    Block,
    Member,
    Preparation,
    Source,
    Study,
    Unit,
    User,
    Worker,
)
from annotation.pay.payouts import make_file
from annotation.pay.rewards import Covers
from annotation.work.submission import submit
from api.schema.examples import READING
from desk.data.adjudication.decisions import record_gold
from desk.data.adjudication.queue import add_cases
from desk.data.exclusions.conditions import Conditions
from desk.data.exclusions.work import look_at
from desk.data.units.actions import confirm_action, propose_action
from desk.data.units.saved import save_view
from exports.choice import WHOLE
from exports.jobs import ask_for_export
from files.reading.model import Reading
from files.reading.proposal_parts import Counts, Proposal
from imports.uploads import keep_upload
from jobs.models import Job
from judges.definitions.versions import judge_for
from judges.models import ProbeSet
from judges.runs.plans.plan import plan_run
from results.models import ResultsLink
from results.studies.registration import register
from set_up.models import ImportJob, NewStudy
from set_up.new_study.found_files import Found
from tests.annotation.workers import answer_all, lease, newcomer
from workbench.models import Look, Split

Why = AdjudicationCase.Why
PANEL = "testpanel"


def with_everything(study: Study, owner: User, ids: tuple[str, str] = ("first", "second")) -> Study:
    """Two workers with a submitted batch, of which one is in a payment file, a reported problem, a
    run that has not begun, an export that waits, a link, files that were read, and one of all that
    is done with data, members and alerts."""
    batch = _submitted(study, ids[0])
    batch.assignment_units.filter(position=1).update(problem="The text is cut off.")
    make_file(study=study, panel=PANEL, currency="USD", covers=Covers.ALL, by=owner)
    _submitted(study, ids[1])
    invite_many(study=study, created_by=owner, number=1)
    run = plan_run(study=study, judge=judge_for(study, "lexical"), seed=0, requested_by=owner)
    Split.objects.create(study=study, seed=7, share=0.5, planned_looks=2, error=0.05)
    Look.objects.create(study=study, rater=run.rater, number=1, looked_by=owner)
    ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)
    read_files(owner)
    _with_decisions(study, owner)
    _with_machines(study, owner)
    _with_members(study, owner)
    return study


def _with_decisions(study: Study, owner: User) -> None:
    """A unit that was disabled, a view, a control and a list that wait, a rule that was looked at,
    a case that waits, and a gold answer."""
    questions = list(study.questions.filter(unit__role="normal").order_by("pk"))
    spare = study.units.filter(pk=questions[-1].unit_id)
    action = propose_action(study=study, units=spare, kind="retire", parameters={}, by=owner)
    confirm_action(action=action, by=owner)
    save_view(study=study, owner=owner, name="All", query="", shared=True)
    proposed = {"role": Unit.Role.POSITIVE, "check_state": Unit.Check.PROPOSED}
    source = Source.objects.create(study=study, key="control", document="It rained.")
    about = {"study": study, "source": source}
    Unit.objects.create(**about, key="control", proposal={"round": "main"}, **proposed)
    asked = {"position": 2, "key": "importance", "task_type_slug": "importance"}
    block = Block.objects.create(study=study, **asked)
    nugget = {"text": "It rained.", "importance": "vital"}
    Preparation.objects.create(**about, block=block, entries=[nugget])
    look_at(study=study, conditions=Conditions(seconds=2), by=owner)
    gold, open_one, *_ = [each for each in questions if each.block.task_type_slug == "slider"]
    add_cases(study=study, questions=[open_one.pk], why=Why.ASKED, by=owner)
    answer = gold.typed_answer({"value": 40})
    record_gold(question=gold, answer=answer, reason="It says so.", by=owner)


def _with_machines(study: Study, owner: User) -> None:
    """A probe set, texts that wait to be written, and an import that waits."""
    judge = judge_for(study, "lexical")
    probe_set = ProbeSet.objects.create(study=study, judge=judge, size=1)
    probe_set.units.set(study.units.all()[:1])
    asked = {"kind": "response", "writers": [{"model": "m", "system": "Larch"}]}
    Job.objects.create(
        study=study, owner=owner, kind="write_texts", parameters=asked, asked_at=timezone.now()
    )
    keys = {"title": "From a tool", "slug": "from-a-tool"}
    ImportJob.objects.create(
        kind="import",
        owner=owner,
        asked_at=timezone.now(),
        parameters={**keys, "keys": keys, "files": {}, "format_name": "potato", "draft": None}
        | {"skip_unusable": True, "size": 0},
    )


def _with_members(study: Study, owner: User) -> None:
    """An open alert, a webhook with a message, another of the account, an invited colleague, a link
    to the results, and a registration."""
    now = timezone.now()
    Alert.objects.create(study=study, kind="judges", message="12 of 40 calls failed.", since=now)
    for listener in (study, owner):
        set_webhook(of=listener, url="https://example.org/hook", by=owner, now=now)
        announce_test(of=listener, now=now - timedelta(days=1))
    invite_colleague(study=study, role=Member.Role.EDITOR, by=owner)
    ResultsLink.objects.create(study=study, token=f"shown-{study.slug}", created_by=owner)
    register(study=study, by=owner)


def read_files(owner: User) -> NewStudy:
    """Files of which no study is made yet."""
    reading = Reading.model_validate(READING)
    proposal = Proposal(reading=reading, sentence="A text.", counts=Counts())
    found = Found(proposal=proposal, reading=reading).model_dump(mode="json")
    uploads = {"wet.csv": keep_upload([b"text,rater,fluency\nIt was wet.,ann,4\n"])}
    return NewStudy.objects.create(owner=owner, uploads=uploads, found=found)


def _submitted(study: Study, external_id: str) -> Assignment:
    worker = newcomer(study)
    Worker.objects.filter(pk=worker.worker_id).update(panel=PANEL, external_id=external_id)
    return submit(assignment=answer_all(lease(worker)), now=timezone.now())
