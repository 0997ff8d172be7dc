"""A study in which each collection of the API has a row."""

from django.utils import timezone

from annotation.entry.invitations import invite_many
from annotation.models import Assignment, Study, User, Worker
from annotation.pay.payouts import make_file
from annotation.pay.rewards import Covers
from annotation.work.submission import submit
from api.schema.examples import READING
from exports.choice import WHOLE
from exports.jobs import ask_for_export
from files.reading.model import Counts, Proposal, Reading
from imports.uploads import keep_upload
from judges.definitions.versions import judge_for
from judges.runs.plans.plan import plan_run
from set_up.models import NewStudy
from set_up.new_study.found_files import Found
from tests.annotation.workers import answer_all, lease, newcomer

PANEL = "testpanel"


def with_everything(study: Study, owner: User, ids: tuple[str, str] = ("first", "second")) -> Study:
    """Two workers with a submitted batch, of which one is in a payment file, a reported problem, a
    run that has not begun, an export that waits, a link, and files that were read."""
    batch = _submitted(study, ids[0])
    batch.assignment_units.filter(position=1).update(problem="The text is cut off.")
    make_file(study=study, panel=PANEL, currency="USD", covers=Covers.ALL, by=owner)
    _submitted(study, ids[1])
    invite_many(study=study, created_by=owner, number=1)
    plan_run(study=study, judge=judge_for(study, "lexical"), seed=0, requested_by=owner)
    ask_for_export(study=study, format_name="csv", choice=WHOLE, by=owner)
    read_files(owner)
    return study


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
