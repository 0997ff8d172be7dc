"""A study that recruits from Prolific, the other side, and people whom it sends."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.entry.arrival import arrive_from_panel
from annotation.entry.consent import consent_hash, give_consent
from annotation.models import Member, PanelStudy, Participation, Study, User
from annotation.panels.contract import Visit
from annotation.panels.prolific_api.client import Prolific
from annotation.work.submission import submit
from recruitment.refresh import refresh
from tests.annotation.workers import answer_all, lease
from tests.cast import join, make_study
from tests.services.prolific import TOKEN, FakeProlific
from tests.services.prolific_server import Address

CODES = {"completion_code": "DONE", "screenout_code": "OUT", "return_code": "BACK"}


@pytest.fixture
def fake(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, prolific_address: Address
) -> FakeProlific:
    settings.PROLIFIC_API_URL = prolific_address.url
    settings.PROLIFIC_OWNERS = ["*"]
    monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
    return prolific_address.serve(FakeProlific())


@pytest.fixture
def client_there(fake: FakeProlific) -> Iterator[Prolific]:
    """A client that does not wait between tries."""
    with Prolific(base_url=fake.url, token=TOKEN, sleep=lambda _seconds: None) as client:
        yield client


@pytest.fixture
def sent_study(db: None, owner: User, colleague: User) -> Study:
    """A batch pays 1.00 and a bonus of 0.50."""
    study = make_study(sources=12, overlap=6, per_batch=2, max_batches_per_worker=3)
    study.recruitment = {"panel": "prolific", **CODES}
    study.save()
    join(study, owner, Member.Role.OWNER)
    join(study, colleague, Member.Role.REVIEWER)
    return study


@dataclass
class Scene:
    """Both sides of a study, as a test moves them on."""

    study: Study
    fake: FakeProlific
    client: Prolific
    made: PanelStudy
    people: dict[str, Participation] = field(default_factory=dict)

    def come(self, who: str, status: str = "AWAITING REVIEW", code: str | None = "DONE") -> str:
        """Prolific sends somebody; the id of their submission."""
        session = self.fake.submit(self.made.external_id, who, status, code=code)
        visit = Visit(who, session=session, study=self.made.external_id)
        person = arrive_from_panel(study=self.study, panel="prolific", visit=visit)
        give_consent(participation=person, text_hash=consent_hash(self.study), of_age=True)
        self.people[who] = person
        return session

    def work(self, who: str, batches: int = 1) -> None:
        for _ in range(batches):
            submit(assignment=answer_all(lease(self.people[who])), now=timezone.now())

    def worked(self, who: str, status: str = "APPROVED", *, batches: int = 1) -> str:
        session = self.come(who, status)
        self.work(who, batches)
        return session

    def refresh(self, now: datetime | None = None) -> None:
        refresh(made=self.made, client=self.client, now=now or timezone.now())


@pytest.fixture
def scene(sent_study: Study, fake: FakeProlific, client_there: Prolific, owner: User) -> Scene:
    """Published there, with nobody in it yet."""
    fake.studies["aaaa00000000000000000001"] = {
        "id": "aaaa00000000000000000001",
        "status": "ACTIVE",
        "reward": 100,
        "total_available_places": 10,
        "internal_name": "small",
    }
    made = PanelStudy.objects.create(
        study=sent_study,
        panel="prolific",
        state=PanelStudy.State.MADE,
        external_id="aaaa00000000000000000001",
        status="ACTIVE",
        currency="USD",
        body={"name": "A small study", "reward": 100, "total_available_places": 10},
        by=owner,
    )
    return Scene(sent_study, fake, client_there, made)
