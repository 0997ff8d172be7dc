"""`doctor`: what is installed, which services answer, and what is unsafe."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from desk.installation.connections import answering_services
from desk.installation.findings import Examination, Finding, Severity
from desk.installation.installed import installed_parts
from desk.installation.ports import add_installation_arguments
from desk.installation.safety import unsafe_settings
from desk.installation.upgrade import upgrade_findings

WANT_SOMETHING_DONE = frozenset({Severity.UNSAFE, Severity.FAILS})


class Command(BaseCommand):
    help = (
        "Say what is installed, which services answer, what an upgrade will do and what is unsafe. "
        "Exit status 1 where something fails or is unsafe. It sends no requests to the endpoints "
        "of judges."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_installation_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print the findings as JSON")

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        parts: dict[str, Examination] = {
            "Installed": installed_parts,
            "Services": lambda: answering_services(port=port),
            "Upgrade": upgrade_findings,
            "Safety": unsafe_settings,
        }
        findings = {title: [*examine()] for title, examine in parts.items()}
        self.stdout.write(_as_json(findings) if options["json"] else _as_text(findings))
        if any(f.state in WANT_SOMETHING_DONE for part in findings.values() for f in part):
            sys.exit(1)


def _as_text(findings: dict[str, list[Finding]]) -> str:
    lines = []
    for title, part in findings.items():
        lines += [title, *(f"  {finding.state:<7}{finding.text}" for finding in part)]
    return "\n".join(lines)


def _as_json(findings: dict[str, list[Finding]]) -> str:
    rows = [
        {"part": title.lower(), "state": finding.state, "text": finding.text}
        for title, part in findings.items()
        for finding in part
    ]
    return json.dumps({"findings": rows}, indent=2)
