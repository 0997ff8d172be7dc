"""`manage.py probe_judge`: a baseline, another asking, and what is said."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from judges.models import JudgeRun, ProbeSet
from tests.judges.probing import answers_become, keys_of, reply, study_of
from tests.judges.scripted_judges import scripted_judge

pytestmark = pytest.mark.django_db


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("probe_judge", *arguments)
    return capsys.readouterr().out


def test_the_first_time_fixes_a_set_and_the_next_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = study_of(14)
    judge = scripted_judge(study, tmp_path)
    out = said(capsys, study.slug, "parrot", "--units", "12", "--every", "7", "--wait")
    assert "complete. 12 units are the baseline." in out
    (probe_set,) = ProbeSet.objects.all()
    assert (probe_set.size, probe_set.every_days) == (12, 7)
    assert "No drift found: 0% of the answers" in said(capsys, study.slug, "parrot", "--wait")
    answers_become(judge, tmp_path, [reply(key, 10) for key in keys_of(study)])
    out = said(capsys, study.slug, str(judge), "--wait")
    assert "Drift found: 100% of the answers to" in out
    assert "did when asked twice in a row: +100.0 points" in out
    assert "calls planned as run" in said(capsys, study.slug, str(judge), "--new")
    assert ProbeSet.objects.count() == 2
    assert JudgeRun.objects.count() == 4


def test_what_cannot_be_asked_is_said(tmp_path: Path) -> None:
    study = study_of(2)
    scripted_judge(study, tmp_path)
    for arguments, reason in (
        (("nothing", "parrot"), "no study"),
        ((study.slug, "nobody"), "no judge"),
        ((study.slug, "parrot", "--setting", "none"), "no subset"),
    ):
        with pytest.raises(CommandError, match=reason):
            call_command("probe_judge", *arguments)
    assert not ProbeSet.objects.exists()
