"""The shipped examples with chat models, wherever an installation asks them."""

from pathlib import Path

import pytest
import yaml
from django.conf import settings as project
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from annotation.models import Study
from endpoints.registry import endpoint
from judges.definitions.versions import judge_for

pytestmark = pytest.mark.django_db

EXAMPLES = ("actionability", "importance", "judges")


def apply_beside(names: tuple[str, ...], example: str, folder: Path, settings: Settings) -> Study:
    """The example in an installation with endpoints of these names."""
    file = folder / "endpoints.yaml"
    entries = {name: {"base_url": f"http://{name}.example.org/v1"} for name in names}
    file.write_text(yaml.safe_dump(entries), encoding="utf-8")
    settings.JUDGE_ENDPOINTS = str(file)
    source = Path(project.BASE_DIR) / "examples" / example / "study.yaml"
    call_command("apply_study", str(source), verbosity=0)
    return Study.objects.get()


@pytest.mark.parametrize("example", EXAMPLES)
def test_they_ask_the_only_endpoint_whatever_its_name(
    example: str, tmp_path: Path, settings: Settings
) -> None:
    study = apply_beside(("lab",), example, tmp_path, settings)
    judges = [judge_for(study, one["name"]) for one in study.judges if isinstance(one, dict)]
    asked = [judge.parameters["endpoint"] for judge in judges if judge.backend == "chat"]
    assert asked
    assert {endpoint(name).base_url for name in asked} == {"http://lab.example.org/v1"}


def test_where_there_are_several_the_refusal_says_how_one_is_chosen(
    tmp_path: Path, settings: Settings
) -> None:
    remedy = r"no 'default' here \(known: .*\); name one of them as `endpoint` in the judge's"
    with pytest.raises(CommandError, match=remedy):
        apply_beside(("lab", "hosted"), "importance", tmp_path, settings)
