"""Definitions of judges that want to read files of the server, tried at every door."""

import math
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Study, User
from api.scopes import Scope
from api.tokens import make_token
from files.errors import ImportFailure
from files.skipped import SkippedRecords
from imports.study_file.schema import StudyFile
from imports.study_file.writing import study_keys, study_yaml
from imports.uploads import keep_upload, kept_upload
from judges.definitions.proposals import propose_judge
from judges.definitions.study_judges import study_method
from judges.definitions.versions import BadJudge
from judges.models import Judge
from set_up.imports.tool_studies import _Stages
from set_up.models import NewStudy
from set_up.new_study.drafts import begin_from_study, finish_draft
from set_up.study_files.application import check_study, make_study, version_of
from tests.judges.definitions.hostile import EVERY_FIELD, definition, touched
from tests.sessions import as_user

pytestmark = pytest.mark.django_db
SECRET = "secret-of-the-server"
KEYS: dict[str, Any] = {
    "slug": "mine",
    "title": "Mine",
    "blocks": [{"task_type": "citation_recovery"}, {"task_type": "likert"}],
}
JSON = "application/json"


@pytest.fixture
def mine(owner: User, tmp_path: Path, settings: Any) -> Study:
    settings.MEDIA_ROOT = tmp_path / "media"
    cache.clear()
    return make_study(keys=KEYS, files={}, by=owner, skipped=SkippedRecords())


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A folder that is a model and holds a file of replies."""
    folder = tmp_path / SECRET
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    return folder


class Doors:
    """Every way in which a definition comes from outside."""

    def __init__(self, study: Study, owner: User) -> None:
        self.study, self.owner, self.browser = study, owner, as_user(owner)
        _token, secret = make_token(owner=owner, name="t", scopes=tuple(Scope), days=1, study=None)
        self.program = Client(headers={"Authorization": f"Bearer {secret}"})

    def judge(self, door: str, entry: dict[str, Any]) -> Any:
        """Bring a definition of a judge in."""
        return getattr(self, door)(entry if door == "define" else {"judges": [entry]})

    def post(self, keys: dict[str, Any]) -> Any:
        cache.clear()  # what counts a token's requests
        sent = {**KEYS, "slug": f"s-{uuid4().hex}", **keys}
        return self.program.post("/api/v1/studies/", sent, content_type=JSON)

    def put(self, keys: dict[str, Any], query: str = "") -> Any:
        cache.clear()
        address = "/api/v1/studies/mine/file/"
        tag = self.program.get(address).headers["ETag"]
        sent = {**study_keys(self.study), **keys}
        address, headers = f"{address}{query}", {"If-Match": tag}
        return self.program.put(address, sent, content_type=JSON, headers=headers)

    def check(self, keys: dict[str, Any]) -> Any:
        return self.put(keys, "?check=true")

    def edit(self, keys: dict[str, Any], go: str = "show") -> Any:
        self.study.refresh_from_db()
        text = yaml.safe_dump({**study_keys(self.study), **keys})
        sent = {"text": text, "version": version_of(study_yaml(self.study)), "go": go}
        return self.browser.post(reverse("desk:edit-study", args=["mine"]), sent)

    def apply(self, keys: dict[str, Any]) -> Any:
        return self.edit(keys, "apply")

    def upload(self, keys: dict[str, Any]) -> Any:
        text = yaml.safe_dump({**KEYS, **keys})
        file = SimpleUploadedFile("study.yaml", text.encode())
        return self.browser.post(reverse("desk:new-study"), {"origin": "file", "file": file})

    def define(self, entry: dict[str, Any]) -> Any:
        sent = {**entry, "parameters": yaml.safe_dump(entry.get("parameters", {}))}
        return self.browser.post(reverse("judges:define", args=["mine"]), sent)


# One of each kind; that all are refused in the same way is tested where that is done.
KINDS = [
    ("scripted", "parameters.file"),
    ("zero_shot", "parameters.replies"),
    ("nli", "model"),
    ("fingract", "parameters.embedding"),
]
NAMES = ("post", "put", "check", "edit", "apply", "upload", "define")


@pytest.mark.parametrize("door", NAMES)
def test_no_door_takes_a_path_of_the_server(
    door: str, mine: Study, owner: User, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter = partial(Doors(mine, owner).judge, door)
    studies = Study.objects.count()
    with touched(monkeypatch, SECRET) as seen:
        for method, field in KINDS:
            answer = enter(definition(method, field, str(secret)))
            assert answer.status_code == 422, (method, field, answer.content)
    assert not seen
    assert not Judge.objects.filter(name="mine").exists()
    assert (Study.objects.count(), NewStudy.objects.count()) == (studies, 0)
    mine.refresh_from_db()
    assert mine.judges == []


@pytest.mark.slow
@pytest.mark.parametrize("door", NAMES)
def test_whatever_a_parameter_holds_no_file_is_read_and_nothing_breaks(
    door: str, mine: Study, owner: User, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every parameter of every method: what looks like a path is a text to those that take one."""
    enter = partial(Doors(mine, owner).judge, door)
    with touched(monkeypatch, SECRET) as seen:
        for method, field in EVERY_FIELD:
            for value in (str(secret), f"../..{secret}", {"file": str(secret)}, 10**15, -1):
                answer = enter(definition(method, field, value))
                good = (200, 201, 302, 422)
                assert answer.status_code in good, (method, field, answer.content)
    assert not seen


def test_whatever_a_definition_holds_no_file_is_read_when_it_is_defined(
    mine: Study, owner: User, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every parameter of every method: what looks like a path is a text to those that take one."""
    with touched(monkeypatch, SECRET) as seen:
        for method, field in EVERY_FIELD:
            for value in (str(secret), f"../..{secret}", {"file": str(secret)}):
                with suppress(BadJudge):
                    fields = {"parameters": {}} | definition(method, field, value)
                    propose_judge(study=mine, by=owner, **fields)
    assert not seen


@pytest.mark.parametrize("value", [math.nan, 10**400, [[[[0]]]] * 3, "\x00", "2026-99-99"])
def test_odd_values_are_refused_and_break_nothing(value: Any, mine: Study, owner: User) -> None:
    doors = Doors(mine, owner)
    nested: Any = value
    for _ in range(80):
        nested = [nested]
    for name in NAMES:
        for odd in (value, nested):
            if str(value) == "nan" and name in ("post", "put", "check"):
                continue  # JSON has none
            answer = doors.judge(name, definition("geval", "parameters.samples", odd))
            assert answer.status_code in (302, 400, 422), (name, answer.content)


@pytest.mark.parametrize("text", ["x: 2026-99-99", "a: &a [1]\nb: *a", "n: !!int x", "[" * 9000])
def test_parameters_that_are_no_safe_yaml_are_an_error_of_the_field(
    text: str, mine: Study, owner: User
) -> None:
    sent = {"name": "mine", "method": "zero_shot", "model": "m", "parameters": text}
    answer = as_user(owner).post(reverse("judges:define", args=["mine"]), sent)
    assert answer.status_code == 422
    assert b"This is not valid YAML." in answer.content


def test_no_key_of_a_study_file_reads_a_file_of_the_server(
    mine: Study, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(secret / "config.json")
    with touched(monkeypatch, SECRET) as seen:
        for key in StudyFile.model_fields:
            for value in (path, [path], {"file": path}, [{"file": path}], 7, [[path]]):
                keys = {**KEYS, "slug": f"s-{uuid4().hex}", key: value}
                with suppress(ImportFailure):
                    check_study(keys=keys, files={})
    assert not seen


def test_a_study_goes_on_naming_what_its_operator_named(
    mine: Study, owner: User, tmp_path: Path
) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text("", encoding="utf-8")
    entry = definition("scripted", "parameters.file", str(file))
    mine.judges = [entry]
    mine.save()
    doors = Doors(mine, owner)
    slower = {**entry, "parameters": {**entry["parameters"], "delay_ms": 3}}
    assert doors.judge("apply", slower).status_code == 302
    mine.refresh_from_db()
    assert mine.judges == [slower]
    assert study_method(mine, "mine").parameters.delay_ms == 3


def test_a_copy_leaves_out_what_names_files_and_says_so(
    mine: Study, owner: User, tmp_path: Path
) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text("", encoding="utf-8")
    mine.judges = ["lexical", definition("scripted", "parameters.file", str(file))]
    mine.save()
    draft = begin_from_study(by=owner, study=mine)
    made, _ = finish_draft(draft=draft, by=owner)
    assert made.judges == ["lexical"]
    sent = {"origin": "copy", "study": mine.slug}
    page = as_user(owner).post(reverse("desk:new-study"), sent, follow=True)
    assert "Not copied with the judges: mine" in page.content.decode()


def test_imports_and_drafts_in_the_background_are_checked_too(mine: Study, secret: Path) -> None:
    entry = definition("zero_shot", "parameters.replies", str(secret / "config.json"))
    with pytest.raises(ImportFailure, match="command line"):
        check_study(keys={**KEYS, "slug": "other", "judges": [entry]}, files={})
    mine.judges = [entry]
    with pytest.raises(ImportFailure, match="command line"):
        _Stages(progress=None).begun(mine)  # type: ignore[arg-type]


TABLE = b"document,summary\nA document.,CANARY-TEXT\n"
WITH_TABLE = {"blocks": [{"task_type": "likert"}], "columns": {"text": "summary"}}


@pytest.fixture
def theirs(mine: Study, outsider: User) -> Study:
    """Another study, with an uploaded table that fits the first one as well."""
    keys = {**KEYS, **WITH_TABLE, "slug": "theirs", "items": ["theirs.csv"]}
    files = {"theirs.csv": keep_upload([TABLE])}
    return make_study(keys=keys, files=files, by=outsider, skipped=SkippedRecords())


def names_of_their_file(study: Study) -> list[str]:
    digest = study.imported["items"]["theirs.csv"]
    path = kept_upload(digest)
    assert path is not None
    return ["theirs.csv", digest, f"uploads/{digest}", f"../uploads/{digest}", str(path)]


def test_no_door_takes_the_uploaded_file_of_another_study(
    mine: Study, theirs: Study, owner: User
) -> None:
    doors = Doors(mine, owner)
    for name in names_of_their_file(theirs):
        for keys in ({"items": [name], **WITH_TABLE}, {"items": [name]}, {"columns": name}):
            for door in ("post", "put", "check", "edit", "apply"):
                answer = getattr(doors, door)(keys)
                assert 400 <= answer.status_code < 500, (door, keys)
                assert b"CANARY-TEXT" not in answer.content, (door, keys)
    assert set(Study.with_unfinished.values_list("slug", flat=True)) == {"mine", "theirs"}
    assert not mine.sources.exists()


def test_the_same_table_is_taken_from_who_uploads_it(
    mine: Study, theirs: Study, owner: User
) -> None:
    """So the doors refuse the name, not the table."""
    keys = {**KEYS, **WITH_TABLE, "slug": "own", "items": ["own.csv"]}
    files = {"own.csv": keep_upload([TABLE])}
    made = make_study(keys=keys, files=files, by=owner, skipped=SkippedRecords())
    assert made.sources.count() == 1
