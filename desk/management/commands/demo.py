"""`demo`: load the example study, start everything, and say where to click."""

import json
import secrets
from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import transaction
from django.urls import reverse

from accounts.membership import set_member
from annotation.entry.invitations import invite
from annotation.models import Member, Study, User
from annotation.models.changes import logged_by_name
from annotation.rounds.opening import open_study
from desk.installation.database import prepare_database
from desk.installation.ports import add_installation_arguments, refuse_used_port
from desk.installation.processes import Processes, answers, web, worker
from estimates.report.recount import recount
from imports.demonstration import begin_demonstration
from judges.definitions.versions import judge_for
from judges.runs.delivery.wait import wait_for
from judges.runs.plans.plan import plan_run

EXAMPLE = settings.BASE_DIR / "examples" / "demo"
SLUG = "demo"
ROLES = {"admin": Member.Role.OWNER, "researcher": Member.Role.REVIEWER}


class Command(BaseCommand):
    help = "Load the example study, start the web server and a worker, and print where to click."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_installation_arguments(parser)

    @logged_by_name
    def handle(self, *args: Any, port: int, **options: Any) -> None:
        again = f"PORT={port + 1} make demo"
        if settings.PROGRAM == "jurybox":
            again = f"jurybox demo --port {port + 1}"
        refuse_used_port(port, instead=again)
        self.stdout.write("Preparing the database and the example study …")
        prepare_database(say=self.stdout.write, replace=True)
        call_command("collectstatic", verbosity=0, interactive=False)
        passwords = _sign_ins(settings.DATA_DIR / "demo-sign-ins.json")
        study = example_study()
        Processes([web(port=port), worker()], say=self.stderr.write).run(
            is_up=lambda: answers(f"http://127.0.0.1:{port}/healthz"),
            announce=lambda: self._welcome(port, study, passwords),
        )
        self.stdout.write("Stopped.")

    def _welcome(self, port: int, study: Study, passwords: dict[str, str]) -> None:
        self._say_where_to_click(port, study, passwords)
        recount(study=study)  # while the newcomer reads that, for their first click

    def _say_where_to_click(self, port: int, study: Study, passwords: dict[str, str]) -> None:
        url = f"http://localhost:{port}"
        link = study.invitations.filter(worker=None).latest("pk")
        self.stdout.write(
            f"""
Jurybox runs at {url}   (Ctrl-C stops it; running it again is harmless)

  As a worker      open {url}{reverse("annotation:join", args=[link.token])}
  As a researcher  sign in at {url}{reverse("desk:sign-in")}
                   user researcher, password {passwords["researcher"]}
                   then Results: the lexical judge beside five people
  As an admin      user admin, password {passwords["admin"]}
                   then the study: invite workers, run a judge, set roles

The five people of the example are made up by a program, as every page of it says.
Everything is kept in {settings.DATA_DIR}.
"""
        )
        self.stdout.flush()


def _sign_ins(file: Path) -> dict[str, str]:
    """The demo's users with passwords made once for this installation, readable by its owner."""
    passwords: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    for name in ROLES:
        if name not in passwords:
            passwords[name] = secrets.token_urlsafe(9)
        if not User.objects.filter(username=name).exists():
            User.objects.create_user(
                name, password=passwords[name], is_superuser=name == "admin", is_staff=False
            )
    file.touch(mode=0o600)
    file.write_text(json.dumps(passwords))
    return passwords


def example_study() -> Study:
    """The example study, loaded where it is not there yet, with its judge's answers."""
    call_command("apply_study", str(EXAMPLE / "study.yaml"), verbosity=0, stdout=StringIO())
    study = Study.objects.get(slug=SLUG)
    if not study.raters.exists():
        begin_demonstration(study=study)
        call_command("import_answers", SLUG, str(EXAMPLE / "answers.jsonl"), stdout=StringIO())
    with transaction.atomic():
        for name, role in ROLES.items():
            user = User.objects.get(username=name)
            set_member(study=study, user=user, role=role)
        if not study.invitations.filter(worker=None).exists():
            invite(study=study, created_by=None, note="The link that the demo prints")
    if study.state == Study.State.DRAFT:
        open_study(study=study)
    if not study.judge_runs.exists():
        for name in (entry for entry in study.judges if isinstance(entry, str)):
            run = plan_run(study=study, judge=judge_for(study, name), subset="full")
            wait_for(run_id=run.pk, on_progress=lambda done: None)
    return study
