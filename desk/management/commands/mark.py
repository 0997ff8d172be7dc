"""`jurybox mark FILE`: people mark a sample of a file's outputs, without seeing the judge."""

import os
import socket
import webbrowser
from argparse import ArgumentParser
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from annotation.models import Study
from annotation.models.changes import logged_by_name
from desk.installation.database import prepare_database
from desk.installation.first_account import make_first_account
from desk.installation.ports import add_installation_arguments, refuse_used_port
from desk.installation.processes import Processes, answers, web, worker
from files.errors import ImportFailure, OpenQuestion
from files.skipped import SkippedRecords
from imports.formats.contract import FormatInput
from imports.management.reading_options import add_reading_arguments, reading_of, stated_by
from imports.study_file.owner import make_owners
from label_table.tools.registry import PLAIN, TOOLS, tool_files
from marking.material import CONSENT
from marking.outputs import Outputs
from marking.plans import TEXTS, Plan
from marking.studies import (
    Chosen,
    begin_for_oneself,
    colleagues_of,
    draw_more,
    end_marking,
    has_changed,
    make_study,
    study_of_marks,
)

EVERYWHERE, HERE = "0.0.0.0", "127.0.0.1"  # noqa: S104 (asked for by --share)


class Command(BaseCommand):
    help = (
        "Let people mark a sample of a file's outputs without seeing what the judge said, and "
        "report how good the judge is. Everything is kept in FILE.marks, and going on loses "
        "nothing. Exit status 2 where a question is open."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, metavar="FILE", help="results of an eval tool, or a table"
        )
        parser.add_argument(
            "--format",
            choices=(*(tool.name for tool in TOOLS), PLAIN),
            default="",
            help="default: found by the file",
        )
        parser.add_argument("--judge", default="", metavar="NAME", help="the judge to be marked")
        parser.add_argument(
            "--criterion", default="", metavar="NAME", help="what of the judge, of several"
        )
        parser.add_argument(
            "--human", action="append", default=[], help="a column or rater of a person"
        )
        parser.add_argument(
            "--threshold",
            type=float,
            help="of a judge that gives numbers: from which on a text is good",
        )
        parser.add_argument("--question", default="", help="what people are asked of each text")
        add_reading_arguments(parser)
        _add_plan(parser)
        _add_serving(parser)
        add_installation_arguments(parser, data="FILE.marks")

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if not file.exists():
            raise CommandError(f"{file}: no such file")
        serving = Serving.of(options)
        try:
            study = self._study(file, options)
        except OpenQuestion as question:
            raise CommandError(str(question), returncode=2) from question
        except ImportFailure as failure:
            raise CommandError(str(failure)) from failure
        outputs = Outputs(study, file, Path(settings.DATA_DIR))
        if options["end"]:
            end_marking(study)
            self.stdout.write("No link admits anybody any more.")
        else:
            self._serve(study, outputs, serving, opens=not options["no_browser"])
        for line in outputs.write():
            self.stdout.write(line)

    def _study(self, file: Path, options: dict[str, Any]) -> Study:
        """The study of the folder, or a new one, with more texts where they are asked for."""
        if options["end"] and not (Path(settings.DATA_DIR) / "jurybox.sqlite3").exists():
            raise CommandError(f"{file}: marking has not begun, so there is nothing to end")
        self.stdout.write("Preparing the pages …")
        self.stdout.flush()
        prepare_database(say=self.stdout.write)
        study = study_of_marks()
        if study is None:
            study = self._made(file, options)
        elif has_changed(study, [file]):
            self.stdout.write(
                f"{file} has changed since marking began: marks go on with its texts as they were. "
                "To begin anew name another folder by --data."
            )
        if options["more"]:
            drawn = draw_more(study, options["more"])
            self.stdout.write(f"{drawn} more texts were drawn.")
        account = make_first_account()
        if account:
            make_owners(study=study, username=account.username)
            told = f"user {account.username}, password {account.password}"
            self.stdout.write(f"To open it as a study: {told} (not shown again)")
        return study

    def _made(self, file: Path, options: dict[str, Any]) -> Study:
        stated = stated_by({**options, "judge": [options["judge"]] if options["judge"] else []})
        skipped = SkippedRecords(strict=False, folders=False)
        found = tool_files([file], options["format"])
        given = FormatInput([file], reading=reading_of(options), skipped=skipped)
        if found is None:
            given = replace(given, stated=stated)
        chosen = Chosen(options["judge"], options["criterion"], options["threshold"])
        plan = Plan(
            people=options["people"],
            texts=options["texts"],
            answers=options["answers"],
            question=options["question"],
            seed=options["seed"],
        )
        study, lines = make_study(
            format_name=found.tool.name if found else PLAIN,
            format_input=given,
            plan=plan,
            chosen=chosen,
        )
        for line in (*lines, CONSENT):
            self.stdout.write(line)
        return study

    def _serve(self, study: Study, outputs: Outputs, serving: "Serving", *, opens: bool) -> None:
        again = f"{settings.PROGRAM} mark FILE --port {serving.port + 1}"
        refuse_used_port(serving.port, instead=again, host=serving.host)
        call_command("collectstatic", verbosity=0, interactive=False)
        os.environ |= serving.environment
        oneself = begin_for_oneself(study)
        link = f"{serving.here}{reverse('annotation:return', args=[oneself.token])}"

        def announce() -> None:
            self._say_what_to_open(study, serving, link, outputs)
            if opens:
                webbrowser.open(link)

        def meanwhile() -> None:
            for line in outputs.news():
                self.stdout.write(line)
                self.stdout.flush()

        children = [
            web(port=serving.port, host=serving.host, certificate=serving.certificate),
            worker(),
        ]
        Processes(children, say=self.stderr.write).run(
            is_up=lambda: answers(f"{serving.here}/healthz"), announce=announce, meanwhile=meanwhile
        )

    def _say_what_to_open(
        self, study: Study, serving: "Serving", link: str, outputs: Outputs
    ) -> None:
        self.stdout.write(f"Mark at   {link}")
        colleagues = colleagues_of(study)
        if colleagues and not serving.shares:
            self.stdout.write(
                "(links of colleagues work on this machine alone; --share opens them)"
            )
        for seat in colleagues:
            assert seat.invitation is not None
            path = reverse("annotation:join", args=[seat.invitation.token])
            self.stdout.write(f"Member {seat.number}  {serving.outside}{path}")
        self.stdout.write(f"Report    {outputs.report}")
        self.stdout.write(f"As a study {serving.here}{reverse('desk:sign-in')}")
        self.stdout.write("Ctrl-C stops; the same command goes on.")
        self.stdout.flush()


def _add_plan(parser: ArgumentParser) -> None:
    parser.add_argument("--people", type=int, default=1, help="how many mark (default: 1)")
    parser.add_argument(
        "--texts", type=int, default=TEXTS, help=f"how many are drawn at first (default: {TEXTS})"
    )
    parser.add_argument(
        "--answers",
        type=int,
        default=0,
        help="people for each text (default: one, and two for every third text)",
    )
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--more", type=int, default=0, metavar="N", help="draw N more texts")
    parser.add_argument(
        "--end", action="store_true", help="end it: no link admits anybody any more"
    )


def _add_serving(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--share", action="store_true", help="let colleagues on the network open their links"
    )
    parser.add_argument(
        "--host", default="", help="with --share: the name or address that colleagues use"
    )
    parser.add_argument("--cert", default="", metavar="FILE", help="a certificate, for https")
    parser.add_argument("--key", default="", metavar="FILE", help="the key of --cert")
    parser.add_argument("--no-browser", action="store_true", help="open no browser")


@dataclass(frozen=True)
class Serving:
    """Where the pages are, and for whom."""

    port: int
    shares: bool
    name: str
    certificate: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, options: dict[str, Any]) -> "Serving":
        """As the options say; CommandError for numbers and files that make nothing."""
        people, each = options["people"], options["answers"]
        for name in ("people", "texts"):
            if not 1 <= options[name] <= 100_000:
                raise CommandError(f"--{name}: at least 1")
        if options["more"] < 0 or each < 0:
            raise CommandError("--more, --answers: not below 0")
        if each > people:
            raise CommandError(
                f"--answers: {each} for each text need --people {each}, not {people}"
            )
        if bool(options["cert"]) != bool(options["key"]):
            raise CommandError("--cert and --key go together")
        pair = tuple(filter(None, (options["cert"], options["key"])))
        for path in pair:
            if not Path(path).is_file():
                raise CommandError(f"{path}: no such file")
        return cls(options["port"], options["share"], options["host"] or own_address(), pair)

    @property
    def host(self) -> str:
        """The interface that is listened on."""
        return EVERYWHERE if self.shares else HERE

    @property
    def scheme(self) -> str:
        return "https" if self.certificate else "http"

    @property
    def here(self) -> str:
        """The address on this machine."""
        return f"{self.scheme}://localhost:{self.port}"

    @property
    def outside(self) -> str:
        """The address for colleagues."""
        return f"{self.scheme}://{self.name}:{self.port}" if self.shares else self.here

    @property
    def environment(self) -> dict[str, str]:
        """What the server's processes are told."""
        names = ["localhost", "127.0.0.1", "[::1]", *([self.name] if self.shares else [])]
        told = {"ALLOWED_HOSTS": ",".join(names)}
        return told | ({"HTTPS": "true", "HSTS_SECONDS": "0"} if self.certificate else {})


def own_address() -> str:
    """The address by which the network knows this machine; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address of documentation
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])
