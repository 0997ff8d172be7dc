"""A panel of 120 people runs the published study, pilot and main round, to the end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from tests.annotation import panel as panels


@pytest.mark.django_db
def test_a_panel_of_120_ends_as_its_own_books_say() -> None:
    panel = panels.gather(1, now=timezone.now())
    panel.run()
    assert panels.faults(panel) == []
    found = panels.summary(panel)
    assert found["batches"]["pilot"] == 120
    # What makes it hard did happen.
    assert {"qualified", "not_qualified", "screened_out", "removed", "left"} <= set(found["states"])
    assert {"completion", "screenout", "return"} == set(found["codes"])
    assert {"late", "stale", "vanished"} <= set(found["seen"])
    assert found["surplus"] > 0


def test_the_panel_ends_in_the_same_way_on_postgresql(postgres_url: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": postgres_url,
        "JURYBOX_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.annotation.panel", "2"],
        env=environment,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
