"""New study from files of other tools: what is offered, made, refused and removed."""

import io
import stat
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Change, Rater, Study, User
from files.readers.archives import MOST_MEMBERS
from files.skipped import SkippedRecords
from imports.formats.contract import FormatInput
from imports.formats.registry import FORMATS
from imports.material.storage import MaterialWriter
from imports.studies.importing import import_study
from imports.uploads import keep_upload
from jobs import queue, reports
from jobs.models import JobState
from jobs.reports import Report
from jobs.runner import work
from jobs.sweep import sweep
from set_up.imports import jobs, tool_files
from set_up.imports.jobs import IMPORT, Import
from set_up.imports.tool_studies import offered_formats
from set_up.models import ImportJob
from set_up.new_study.drafts import forget_old_drafts
from set_up.new_study.from_tool import FromToolForm
from tests.sessions import as_user

pytestmark = pytest.mark.django_db(transaction=True)
FOREIGN = Path(__file__).parents[2] / "imports/formats/foreign"


@pytest.fixture(autouse=True)
def sent(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What was sent to the workers; uploads lie in a folder of the test."""
    messages: list[int] = []

    def send(_name: str, row_id: int, **_expires: object) -> bool:
        messages.append(row_id)
        return True

    settings.MEDIA_ROOT = tmp_path / "media"
    monkeypatch.setattr(queue, "send_task", send)
    monkeypatch.setattr(reports, "PROGRESS_SECONDS", 0)
    return messages


def left_over(settings: Any) -> list[str]:
    """Uploads and folders; the lists of skipped records, which stay, have longer names."""
    media = Path(settings.MEDIA_ROOT)
    uploads = [p for p in media.glob("uploads/*") if len(p.name) < 64]
    return [str(path.relative_to(media)) for path in (*uploads, *media.glob("imports/*"))]


def packed(folder: Path, top: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, f"{top}{path.relative_to(folder)}")
    return buffer.getvalue()


def upload(client: Client, tool: str, *files: tuple[str, bytes], **data: Any) -> Any:
    several = [SimpleUploadedFile(name, content) for name, content in files]
    typed = {"file": several, "title": "Taken over", "skip": "on", **data}
    return client.post(reverse("desk:new-study-tool", args=[tool]), typed)


def read(*names: str) -> list[tuple[str, bytes]]:
    return [(Path(name).name, (FOREIGN / name).read_bytes()) for name in names]


UPLOADS: dict[str, list[tuple[str, bytes]]] = {
    "inspect": read("inspect.eval"),
    "label-studio": read("label_studio.json"),
    "argilla": [("answers.zip", packed(FOREIGN / "argilla", "answers/"))],
    "doccano": [("doccano.zip", packed(FOREIGN / "doccano/classification"))],
    "prodigy": read("prodigy/choice.jsonl"),
    "potato": [("project.zip", packed(FOREIGN / "potato", "project/"))],
    "huggingface": [("data.zip", packed(FOREIGN / "huggingface"))],
    "lm-eval": [("out.zip", packed(FOREIGN / "lm_eval"))],
    "arena": read("arena/human_judgments.json"),
    "promptfoo": read("promptfoo/results.json"),
    "langfuse": read("langfuse/api_observations.json", "langfuse/api_scores.json"),
    "mlflow": read("mlflow/traces.jsonl"),
    "otel": read("otel/otlp.jsonl"),
    "deepeval": read("deepeval/run_1.json"),
    "openai-evals": read("openai_evals/output_items.json"),
    "ragas": read("ragas/ragas.csv"),
}


# What the command takes where the browser takes a ZIP file of it.
FOLDERS = {
    "argilla": "argilla",
    "doccano": "doccano/classification",
    "potato": "potato",
    "huggingface": "huggingface",
    "lm-eval": "lm_eval",
}


def by_command(tool: str, tmp_path: Path) -> Study:
    files = [FOREIGN / FOLDERS[tool]] if tool in FOLDERS else []
    for name, content in UPLOADS[tool] if not files else ():
        (tmp_path / name).write_bytes(content)
        files.append(tmp_path / name)
    skipped = SkippedRecords(strict=False)
    given = FormatInput(files=files, skipped=skipped)
    return import_study(format_name=tool, format_input=given, slug="by-command")[0]


@pytest.mark.parametrize("tool", sorted(UPLOADS))
def test_files_of_a_tool_make_the_study_that_the_command_makes(
    tool: str, owner: User, settings: Any, tmp_path: Path
) -> None:
    client = as_user(owner)
    answer = upload(client, tool, *UPLOADS[tool])
    job = ImportJob.objects.get()
    assert (job.state, job.reason) == (JobState.DONE, "")
    study = Study.objects.get(slug="taken-over")
    page = client.get(answer["Location"]).content.decode()
    assert "was created. Only you can see it." in page
    assert f'href="{study.get_absolute_url()}"' in page
    assert (study.state, study.title) == (Study.State.DRAFT, "Taken over")
    assert study.members.get().user == owner
    assert study.imported["format"] == tool
    assert study.imported["counts"]["answers"] > 0
    commanded = by_command(tool, tmp_path)
    assert study.imported["counts"] == commanded.imported["counts"]
    for rows in ("items", "raters", "blocks"):
        keys = "name" if rows == "raters" else "key"
        made, expected = (
            sorted(getattr(of, rows).values_list(keys, flat=True)) for of in (study, commanded)
        )
        assert made == expected
    assert str(settings.MEDIA_ROOT) not in f"{study.imported}{job.reason}"
    logged = Change.objects.get(study=study, action="study.imported")
    assert (logged.by, logged.detail["format"]) == (owner, tool)
    assert left_over(settings) == []


def test_every_tool_is_offered_and_tested() -> None:
    assert set(offered_formats()["Tools"]) == set(UPLOADS)
    for kinds in offered_formats().values():
        for kind in kinds.values():
            assert not kind.needs, "the form asks for no option that an import cannot do without"
    assert all(kind.taken.title and kind.taken.files for kind in FORMATS.values())


def test_the_start_page_leads_to_the_tool(owner: User) -> None:
    client = as_user(owner)
    page = client.get(reverse("desk:new-study")).content.decode()
    assert '<option value="argilla">Argilla</option>' in page
    assert '<optgroup label="Published data sets">' in page
    to = client.post(reverse("desk:new-study"), {"origin": "tool", "tool": "argilla"})
    assert to["Location"] == reverse("desk:new-study-tool", args=["argilla"])
    page = client.get(to["Location"]).content.decode()
    assert "<h1>Argilla</h1>" in page
    assert "or records.json with settings.json." in page


def test_only_those_who_may_make_studies_upload(
    colleague: User, client: Client, settings: Any
) -> None:
    address = reverse("desk:new-study-tool", args=["prodigy"])
    assert client.get(address).status_code == 302
    assert upload(client, "prodigy", *UPLOADS["prodigy"]).status_code == 302
    settings.STUDY_MAKERS = "permitted"
    assert as_user(colleague).get(address).status_code == 403
    assert upload(as_user(colleague), "prodigy", *UPLOADS["prodigy"]).status_code == 403
    assert (ImportJob.objects.count(), left_over(settings)) == (0, [])


def test_there_is_no_page_of_a_format_that_is_not_offered(owner: User) -> None:
    for name in ("jsonl", "raters", "nonsense"):
        assert upload(as_user(owner), name, ("x.json", b"{}")).status_code == 404


def test_people_keep_their_names_only_on_request(owner: User) -> None:
    client = as_user(owner)
    upload(client, "label-studio", *UPLOADS["label-studio"])
    upload(client, "label-studio", *UPLOADS["label-studio"], slug="named", keep_names="on")
    people = [
        set(Rater.objects.filter(study__slug=slug, kind="human").values_list("name", flat=True))
        for slug in ("taken-over", "named")
    ]
    assert all(name.startswith("rater-") for name in people[0])
    assert not any(name.startswith("rater-") for name in people[1])
    assert len(people[0]) == len(people[1]) > 0


def test_settings_beside_the_records_are_read(owner: User) -> None:
    """As a folder they lie below it; uploaded one by one they have no folder."""
    files = read("argilla/records.json", "argilla/.argilla/settings.json")
    upload(as_user(owner), "argilla", *files)
    upload(as_user(owner), "argilla", *UPLOADS["argilla"], slug="packed")
    blocks = [
        list(Study.objects.get(slug=slug).blocks.values_list("key", "options").order_by("key"))
        for slug in ("taken-over", "packed")
    ]
    assert blocks[0] == blocks[1]


def test_a_model_is_called_like_its_folder_in_the_archive(owner: User) -> None:
    upload(as_user(owner), "lm-eval", *UPLOADS["lm-eval"])
    study = Study.objects.get()
    assert set(study.items.values_list("system", flat=True)) == {"listed"}


def test_records_that_do_not_fit_are_left_out_or_refuse_the_import(
    owner: User, settings: Any
) -> None:
    client = as_user(owner)
    name, content = UPLOADS["prodigy"][0]
    broken = (name, content + b'{"text": 5, "answer": "accept"}\n')
    answer = upload(client, "prodigy", broken, skip="")
    job = ImportJob.objects.get()
    page = client.get(answer["Location"]).content.decode()
    assert (job.state, Study.objects.count()) == (JobState.FAILED, 0)
    assert job.reason.startswith("choice.jsonl:")
    assert "Upload again" in page
    assert left_over(settings) == []
    again = reverse("desk:new-study-tool", args=["prodigy"]) + f"?again={job.pk}"
    assert 'value="Taken over"' in client.get(again).content.decode()
    assert Study.with_unfinished.count() == 0
    upload(client, "prodigy", broken)
    job = ImportJob.objects.latest("pk")
    assert (job.state, job.skipped) == (JobState.DONE, 1)
    listed = client.get(reverse("desk:study-skipped", args=["taken-over"]))
    line = b"".join(listed.streaming_content).decode()  # type: ignore[attr-defined]
    assert '"where": "choice.jsonl:' in line


def test_what_was_typed_and_does_not_fit_is_said_and_the_upload_removed(
    owner: User, settings: Any
) -> None:
    client = as_user(owner)
    upload(client, "prodigy", *UPLOADS["prodigy"])
    for files, said in (
        (UPLOADS["prodigy"], "the name of another study"),
        (UPLOADS["prodigy"] * 2, "Two files of one name"),
        ([*UPLOADS["prodigy"], ("x.zip", packed(FOREIGN / "prodigy"))], "upload one ZIP file, or"),
        ([("x.zip", b"no archive")], "x.zip: zip: no ZIP file that can be read"),
    ):
        slug = "taken-over" if "study" in said else "other"
        answer = upload(client, "prodigy", *files, slug=slug)
        assert answer.status_code == 422
        assert said in answer.content.decode()
    assert (ImportJob.objects.count(), left_over(settings)) == (1, [])


def test_large_files_are_imported_by_a_worker_and_shown_on_the_way(
    owner: User, settings: Any, sent: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SMALL_BYTES", 100)
    client = as_user(owner)
    answer = upload(client, "prodigy", *UPLOADS["prodigy"])
    job = ImportJob.objects.get()
    assert answer["Location"] == reverse("desk:import", args=[job.pk])
    assert (sent, job.state) == ([job.pk], JobState.QUEUED)
    assert answer["Location"] in client.get(reverse("desk:home")).content.decode()
    forget_old_drafts(now=timezone.now() + timedelta(days=3))
    assert len(left_over(settings)) == 1  # what waits is not forgotten
    assert work(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, job.percent) == (JobState.DONE, 100)
    assert job.study is not None
    assert job.rows == job.study.imported["counts"]["records"]
    assert left_over(settings) == []


@pytest.mark.parametrize(
    ("tool", "reads_again"),
    [("prodigy", True), ("otel", False), ("inspect", True), ("huggingface", True)],
)
def test_looking_through_files_is_told_by_bytes_before_a_study_is_written(
    tool: str,
    reads_again: bool,
    owner: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "SMALL_BYTES", 100)
    monkeypatch.setattr(reports, "PROGRESS_SECONDS", -1)
    client = as_user(owner)
    upload(client, tool, *UPLOADS[tool])
    job = ImportJob.objects.get()
    looked, written, pages = [0], [0], list[str]()
    update = Report._update

    def told(report: Any, **fields: Any) -> None:
        update(report, **fields)
        if fields.get("state"):
            return
        now = ImportJob.objects.get()
        (looked if now.is_looking_through else written).append(now.read)
        if len(pages) < 3 and now.percent > 0:
            pages.append(client.get(reverse("desk:import", args=[job.pk])).content.decode())

    monkeypatch.setattr(Report, "_update", told)
    assert work(job_id=job.pk)
    assert looked == sorted(looked)
    assert 0 < looked[-1] <= job.size
    assert written == sorted(written)
    assert (written[-1] > 0) is reads_again
    assert "Looking through the files" in pages[0]


@pytest.mark.usefixtures("read_here")
def test_cancelling_removes_the_upload_and_what_was_written(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SMALL_BYTES", 100)
    client = as_user(owner)
    upload(client, "prodigy", *UPLOADS["prodigy"])
    client.post(reverse("desk:cancel-import", args=[ImportJob.objects.get().pk]))
    assert left_over(settings) == []
    upload(client, "prodigy", *UPLOADS["prodigy"])
    job = ImportJob.objects.latest("pk")
    flush = MaterialWriter.flush

    def cancelled(writer: MaterialWriter) -> None:
        assert queue.cancel(job)
        flush(writer)

    monkeypatch.setattr(MaterialWriter, "flush", cancelled)
    assert not work(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, Study.with_unfinished.count(), left_over(settings)) == (
        JobState.CANCELLED,
        0,
        [],
    )
    page = client.get(reverse("desk:import", args=[job.pk])).content.decode()
    assert "what you uploaded is removed" in page


class Killed(BaseException):
    """As if the process had ended."""


@pytest.mark.usefixtures("read_here")
def test_a_killed_worker_leaves_nothing_and_the_next_one_makes_the_study(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SMALL_BYTES", 100)
    upload(as_user(owner), "potato", *UPLOADS["potato"])
    job = ImportJob.objects.get()
    with monkeypatch.context() as patched:
        # Nothing after the kill runs: neither the removal of the study nor that of the folder.
        patched.setattr("imports.studies.unfinished.remove_study", lambda **_of: None)
        patched.setattr(Import, "clear", lambda _kind, _job: None)
        patched.setattr(Report, "fail", lambda _report, _reason: None)

        def killed(_writer: MaterialWriter) -> None:
            raise Killed

        patched.setattr(MaterialWriter, "close", killed)
        with pytest.raises(Killed):
            work(job_id=job.pk)
    job.refresh_from_db()
    assert (job.state, Study.with_unfinished.count()) == (JobState.RUNNING, 1)
    assert f"imports/{job.pk}-1" in left_over(settings)
    ImportJob.objects.update(alive_at=timezone.now() - IMPORT.limits.silence * 2)
    assert sweep(now=timezone.now()) == 1
    assert work(job_id=job.pk)
    assert (Study.with_unfinished.count(), left_over(settings)) == (1, [])


def test_a_worker_that_was_killed_too_often_leaves_nothing(
    owner: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SMALL_BYTES", 100)
    upload(as_user(owner), "prodigy", *UPLOADS["prodigy"])
    long_ago = timezone.now() - IMPORT.limits.silence * 2
    ImportJob.objects.update(state=JobState.RUNNING, attempt=3, alive_at=long_ago)
    folder = Path(settings.MEDIA_ROOT, "imports", f"{ImportJob.objects.get().pk}-3")
    folder.mkdir(parents=True)
    assert sweep(now=timezone.now()) == 0
    assert ImportJob.objects.get().reason == queue.STOPPED
    assert left_over(settings) == []


def archive(*members: tuple[str, bytes], link: bool = False) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as written:
        for name, content in members:
            member = zipfile.ZipInfo(name)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = ((stat.S_IFLNK if link else stat.S_IFREG) | 0o644) << 16
            written.writestr(member, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (archive(("../../x.jsonl", b"{}")), "leads out of its folder"),
        (archive(("..\\x.jsonl", b"{}")), "leads out of its folder"),
        (archive(("/x.jsonl", b"{}")), "leads out of its folder"),
        (archive(("x.jsonl", b"/etc/hostname"), link=True), "a link"),
        (archive(("x.jsonl", bytes(70 * 2**20))), "more than 200 times its size"),
        (archive(*((f"{n}.jsonl", b"") for n in range(MOST_MEMBERS + 1))), "more than 10000 files"),
        (archive(("x.jsonl", bytes(9 * 2**20))), "more than 8 MiB"),
    ],
)
def test_archives_that_are_not_to_be_unpacked(
    content: bytes, said: str, owner: User, settings: Any
) -> None:
    if "MiB" in said:
        settings.UPLOAD_MIB = 2
    answer = upload(as_user(owner), "prodigy", ("x.zip", content))
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert (Study.objects.count(), left_over(settings)) == (0, [])


def test_an_archive_without_files_of_the_tool(owner: User, settings: Any) -> None:
    upload(as_user(owner), "prodigy", ("x.zip", archive(("notes.txt", b"x"))))
    assert ImportJob.objects.get().reason.startswith("x: file: no file of this kind (.jsonl")
    assert left_over(settings) == []


def test_yaml_that_repeats_itself_is_refused(owner: User) -> None:
    config = b"a: &a [1]\nb: [*a, *a]\n"
    state = (FOREIGN / "potato/annotation_output/ann/user_state.json").read_bytes()
    members = [("config.yaml", config), ("annotation_output/ann/user_state.json", state)]
    client = as_user(owner)
    upload(client, "potato", ("p.zip", archive(*members)))
    assert ImportJob.objects.get().reason == "config.yaml:2: YAML: *a: write it out"
    columns = SimpleUploadedFile("map.yaml", config)
    upload(client, "ratings", ("t.csv", b"a,b\n1,2\n"), columns=columns)
    assert ImportJob.objects.latest("pk").reason == "map.yaml:2: YAML: *a: write it out"


def test_files_that_are_too_large_are_refused_and_removed(owner: User, settings: Any) -> None:
    settings.UPLOAD_MIB = 1
    small, large = ("a.jsonl", b"{}"), ("b.jsonl", bytes(2**20 + 1))
    answer = upload(as_user(owner), "prodigy", small, large)
    assert (answer.status_code, left_over(settings)) == (413, [])


def test_a_map_of_columns_names_what_rows_hold(owner: User, settings: Any) -> None:
    table = b"doc,who,score\na,x,1\na,y,2\nb,x,2\nb,y,1\n"
    columns = SimpleUploadedFile("map.yaml", b"item: doc\nrater: who\nrating: score\n")
    upload(as_user(owner), "ratings", ("t.csv", table), columns=columns)
    assert ImportJob.objects.get().reason == ""
    assert Study.objects.get().imported["counts"]["answers"] == 4
    assert left_over(settings) == []


def test_of_several_texts_somebody_says_which_is_the_output(owner: User) -> None:
    client = as_user(owner)
    rows = b'[{"app": "A checker", "left": "Mended.", "right": "It is mended."}]'
    answer = upload(client, "huggingface", ("rows.json", rows))
    page = client.get(answer["Location"]).content.decode()
    assert "which of these fields holds the outputs? app, left, right" in page
    assert "Field with the outputs" in page
    assert not Study.with_unfinished.exists()
    upload(client, "huggingface", ("rows.json", rows), text="left")
    assert Study.objects.get().items.get().sentences[0]["text"] == "Mended."


def test_uploads_of_others_stay(owner: User, settings: Any) -> None:
    """The same file that somebody else has uploaded as a table is another upload."""
    other = keep_upload([UPLOADS["prodigy"][0][1]])
    upload(as_user(owner), "prodigy", *UPLOADS["prodigy"])
    assert Path(settings.MEDIA_ROOT, "uploads", other).is_file()


def test_the_form_has_the_switches_of_the_format() -> None:
    switches = {
        name: {field.name for field in FromToolForm(FORMATS[name]).switches}
        for name in ("argilla", "lm-eval")
    }
    assert switches == {"argilla": {"keep_names", "skip"}, "lm-eval": {"skip"}}
    assert "columns" in FromToolForm(FORMATS["huggingface"]).fields
    assert "chains" in FromToolForm(FORMATS["fcexp"]).fields


def test_names_of_files_are_shown_as_they_were_uploaded() -> None:
    root = Path("/data/imports/3-1")
    for text, shown in (
        (f"{root}/files/out/birch/x.jsonl:3", "birch/x.jsonl:3"),
        (f"{root}/packed/x.zip (y.json)", "x.zip (y.json)"),
        (f"{root}/files/out", "out"),
        (f"differs from {root}/columns/map.yaml", "differs from map.yaml"),
    ):
        assert tool_files.shown_names(root, text) == shown
