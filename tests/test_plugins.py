"""Formats, judge methods and backends that other installed packages bring."""

import importlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse
from pydantic import Field

from annotation.models import Annotation, Study, User
from desk.installation.plugins import left_out_plugins
from files.errors import ImportFailure
from imports.formats.contract import Format, FormatInput
from imports.formats.registry import FORMATS, every_format, installed_formats
from imports.sandbox.calls import FILES
from imports.sandbox.limits import Limits
from imports.studies.importing import import_study
from judges.backends.contract import Chat, ChatBackend, ChatSettings
from judges.backends.factory import installed_backends
from judges.definitions.trust import refuse_untrusted
from judges.definitions.versions import BadJudge, define_judge
from judges.methods.asks import Ask, AskOutcome
from judges.methods.contract import Method, NoParameters
from judges.methods.registry import METHODS, every_method, find_method, installed_methods
from judges.methods.server_names import ServerFile
from judges.views.definition_form import JudgeForm
from jurybox import plugins
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema
from tests.sessions import as_user

EXAMPLE = Path(settings.BASE_DIR) / "examples" / "plugin"
TABLE = """document,system,summary,rater,score
The bus fare rises in May.,Alder,The fare rises in May.,ann,90
The bus fare rises in May.,Birch,Trains are late today.,ann,10
The bus fare rises in May.,Alder,The fare rises in May.,bob,80
"""


def forget() -> None:
    for installed in (installed_formats, installed_methods, installed_backends):
        installed.cache_clear()
    importlib.invalidate_caches()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages with the example in it."""
    folder = tmp_path_factory.mktemp("site")
    offline = ["--no-index", "--no-build-isolation", "--no-deps", "--quiet"]
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        *offline,
        "--target",
        str(folder),
        str(EXAMPLE),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture
def example(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(site))
    forget()
    yield
    monkeypatch.undo()
    forget()


def bring(monkeypatch: pytest.MonkeyPatch, **entries: tuple[str, Any]) -> None:
    """Have installed packages bring these, by name: (group, what loading gives or raises)."""

    class Entry(EntryPoint):
        def load(self) -> Any:
            brought = entries[self.name][1]
            if isinstance(brought, BaseException):
                raise brought
            return brought

    def of(group: str) -> list[EntryPoint]:
        return [Entry(n, "other.package", g) for n, (g, _) in entries.items() if g == group]

    monkeypatch.setattr("jurybox.plugins.entry_points", of)
    forget()


@pytest.fixture(autouse=True)
def _forget_after(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield
    monkeypatch.undo()
    forget()


def written(folder: Path) -> Path:
    file = folder / "summaries.csv"
    file.write_text(TABLE, encoding="utf-8")
    return file


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("example")
def test_a_study_is_imported_and_judged_by_what_the_example_package_brings(tmp_path: Path) -> None:
    file = str(written(tmp_path))
    call_command("import_study", "scored-summaries", file, slug="scored", verbosity=0)
    study = Study.objects.get(slug="scored")
    assert (study.sources.count(), study.units.count()) == (1, 2)
    define_judge(study=study, name="words", method="word-share")
    says = '{"value": 50}'
    define_judge(study=study, name="always", method="zero_shot", backend="constant", model=says)
    call_command("judge", "scored", "words@1", "always@1", "--wait", verbosity=0)
    answers = Annotation.objects.filter(question__study=study).order_by("question__unit__key")
    values = {
        name: [one.answer["value"] for one in answers.filter(rater__name=name)]
        for name in ("ann", "bob", "words", "always")
    }
    # "fare", "rises"; none of "trains", "late", "today"
    assert values == {"ann": [90, 10], "bob": [80], "words": [100, 0], "always": [50, 50]}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("example")
def test_a_format_of_another_package_is_read_in_a_process_of_its_own(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setattr(FILES, "idle", [])  # one that runs already has another path
    study, _ = import_study(
        format_name="scored-summaries",
        format_input=FormatInput([written(tmp_path)]),
        slug="scored",
        limits=Limits.in_background(len(TABLE)),
    )
    [process] = FILES.idle
    process.close()
    assert study.imported["counts"]["answers"] == 3


@pytest.mark.django_db
@pytest.mark.usefixtures("example")
def test_pages_offer_what_the_example_package_brings(owner: User, study: Study) -> None:
    page = as_user(owner).get(reverse("desk:new-study")).content.decode()
    assert '<option value="scored-summaries">Scored summaries</option>' in page
    form = as_user(owner).get(reverse("desk:new-study-tool", args=["scored-summaries"]))
    assert "document, system, summary, rater, score" in form.content.decode()
    shown = JudgeForm(study).as_p()
    assert '<option value="word-share">Share of words</option>' in shown
    assert '<option value="constant">constant</option>' in shown


@pytest.mark.django_db
def test_the_page_of_a_judge_is_shown_when_its_package_is_gone(
    owner: User, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(monkeypatch, tarot=("jurybox.methods", Tarot))
    judge = define_judge(study=study, name="mine", method="tarot")
    bring(monkeypatch)
    page = as_user(owner).get(reverse("judges:judge", args=[study.slug, judge.name, 1]))
    assert "no longer installed" in page.content.decode()
    with pytest.raises(BadJudge, match="no judge method 'tarot'"):
        define_judge(study=study, name="mine", method="tarot")


class Tarot(Method[NoParameters]):
    name = "tarot"
    title = "Tarot"
    description = "Draws a card."
    serves = TASK_TYPES
    Parameters = NoParameters

    def answer(self, ask: Ask) -> AskOutcome:
        raise ValueError("the cards are silent")


class Endless(Schema):
    within: tuple[tuple[int, ...], ...] = ()
    bounded: int = Field(default=0, ge=0, le=9)
    above: float = Field(default=0, ge=0)


class EndlessTarot(Tarot):
    Parameters = Endless  # type: ignore[assignment]


class Reading(Schema):
    cards: ServerFile = ""


class ReadTarot(Tarot):
    opens_model = False
    Parameters = Reading  # type: ignore[assignment]


class Nameless(Format):
    def study(self) -> Any: ...

    def entries(self) -> Any: ...


class Llama(ChatBackend):
    name = "llama"

    @classmethod
    def open(cls, settings: ChatSettings) -> Chat:
        raise ValueError("not here")


@pytest.mark.parametrize(
    ("name", "entry", "reason"),
    [
        (
            "tarot",
            ("jurybox.methods", ImportError("no module named cards")),
            "ImportError: no module named",
        ),
        ("tarot", ("jurybox.methods", SystemExit(3)), "SystemExit: 3"),
        ("lexical", ("jurybox.methods", Tarot), "Jurybox has one of this name itself"),
        ("cards", ("jurybox.methods", Tarot), "calls itself 'tarot'"),
        ("Tarot!", ("jurybox.methods", Tarot), "its name has other characters"),
        ("tarot", ("jurybox.methods", Method), "it does not have answer"),
        (
            "tarot",
            ("jurybox.methods", Nameless),
            "no subclass of judges.methods.contract.M",
        ),
        ("tarot", ("jurybox.methods", EndlessTarot), "its parameters within, above need a least"),
        ("jsonl", ("jurybox.formats", Nameless), "Jurybox has one of this name itself"),
        ("cards", ("jurybox.formats", Nameless), "what files it takes (taken)"),
        ("chat", ("jurybox.backends", Llama), "Jurybox has one of this name itself"),
        ("seq2seq", ("jurybox.backends", Llama), "Jurybox has one of this name itself"),
    ],
)
def test_what_cannot_be_used_is_named_and_left_out(
    name: str,
    entry: tuple[str, Any],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logged: list[str] = []
    monkeypatch.setattr(plugins.logger, "warning", lambda text, *of: logged.append(text % of))
    bring(monkeypatch, **{name: entry})
    [warning] = left_out_plugins()
    assert warning.msg.startswith(f"other: {name!r} ({entry[0]}) is left out: ")
    assert reason in warning.msg
    assert any(warning.msg in line for line in logged)
    assert every_method() == METHODS
    assert set(every_format()) == set(FORMATS)


def test_a_plugin_takes_the_place_of_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    bring(monkeypatch, lexical=("jurybox.methods", Tarot))
    assert find_method("lexical") is METHODS[0]


@pytest.mark.parametrize(
    ("method", "definition", "refused"),
    [
        (ReadTarot, {"parameters": {"cards": "/etc/hostname"}}, True),
        (ReadTarot, {"model": "/srv/model"}, False),
        (Tarot, {"model": "/srv/model"}, True),
        (Tarot, {"model": "some/model"}, False),
    ],
)
def test_strangers_name_no_file_of_the_server_to_a_method_from_outside(
    method: Any, definition: dict[str, Any], refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(monkeypatch, tarot=("jurybox.methods", method))
    assert is_refused({"method": "tarot", **definition}) is refused


def test_strangers_name_no_folder_of_the_server_to_a_backend_from_outside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = {"method": "zero_shot", "backend": "llama", "model": "/srv/model"}
    bring(monkeypatch, llama=("jurybox.backends", Llama))
    assert is_refused(entry)
    monkeypatch.setattr(Llama, "opens_model", False)
    assert not is_refused(entry)


def is_refused(entry: dict[str, Any]) -> bool:
    try:
        refuse_untrusted({"judges": [{"name": "mine", **entry}]})
    except ImportFailure as failure:
        return "only a study file of the command line" in str(failure)
    return False
