"""Writes `doccano/` by doccano's own export of projects in a database made for it:
`python doccano_files.py OUT`. Prints what its models count."""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import backend

sys.path.insert(0, str(Path(backend.__file__).parent))
folder = tempfile.mkdtemp()
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "config.settings.development",
    "DATABASE_URL": f"sqlite:///{folder}/doccano.sqlite3",
    "MEDIA_ROOT": folder,
    "SECRET_KEY": "of no server",
}
import django  # noqa: E402

django.setup()

from data_export.celery_tasks import export_dataset  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from examples.models import Comment, Example  # noqa: E402
from label_types.models import CategoryType, SpanType  # noqa: E402
from labels.models import Category, Span  # noqa: E402
from projects.models import Member, SequenceLabelingProject, TextClassificationProject  # noqa: E402
from roles.models import Role  # noqa: E402

TEXTS = [
    "Ada Lovelace lived in London. She wrote about the engine.",
    "The ferry to Oslo leaves at nine.",
    "Nobody knows. Berlin is far.",
]
MOODS = {"ada": ["glad", "plain", "sad"], "ben": ["plain", "plain", "sad"]}
NAMES = {
    "ada": [[(0, 12, "PER"), (22, 28, "LOC")], [(13, 17, "LOC")], [(14, 20, "LOC")]],
    "ben": [[(0, 12, "PER")], [(4, 9, "PER"), (13, 17, "LOC")], []],
}


def main(out: Path) -> None:
    call_command("migrate", verbosity=0)
    call_command("create_roles", verbosity=0)
    admin = User.objects.create(username="admin")
    users = {name: User.objects.create(username=name) for name in MOODS}
    print(json.dumps({"moods": moods(out, admin, users), "spans": names(out, admin, users)}))


def moods(out: Path, admin: User, users: dict) -> dict:
    for name, together in (("classification", False), ("classification_together", True)):
        project = TextClassificationProject.objects.create(
            name=name, project_type="DocumentClassification", created_by=admin,
            collaborative_annotation=together, single_class_classification=True,
        )  # fmt: skip
        examples = examples_of(project, users)
        labels = {
            t: CategoryType.objects.create(project=project, text=t)
            for t in ("glad", "plain", "sad")
        }  # noqa: E501
        for user, chosen in MOODS.items():
            for example, label in zip(examples, chosen):
                Category.objects.create(example=example, user=users[user], label=labels[label])
        Comment.objects.create(example=examples[0], user=users["ada"], text="She is proud.")
        export(project, out / name)
        if not together:
            counted = distribution(project, Category, CategoryType)
    return counted


def names(out: Path, admin: User, users: dict) -> dict:
    project = SequenceLabelingProject.objects.create(
        name="spans", project_type="SequenceLabeling", created_by=admin
    )
    examples = examples_of(project, users)
    labels = {t: SpanType.objects.create(project=project, text=t) for t in ("PER", "LOC")}
    for user, marked in NAMES.items():
        for example, spans in zip(examples, marked):
            for start, end, label in spans:
                Span.objects.create(
                    example=example, user=users[user], label=labels[label],
                    start_offset=start, end_offset=end,
                )  # fmt: skip
    export(project, out / "spans")
    return distribution(project, Span, SpanType)


def distribution(project: object, answers: type, labels: type) -> dict:
    """What its page of metrics shows: per user, how often each label."""
    return answers.objects.calc_label_distribution(
        Example.objects.filter(project=project).values("id"),
        Member.objects.filter(project=project),
        labels.objects.filter(project=project),
    )


def examples_of(project: object, users: dict) -> list:
    for user in users.values():
        role = Role.objects.get(name="annotator")
        Member.objects.create(project=project, user=user, role=role)
    return [
        Example.objects.create(project=project, text=t, meta={"place": n})
        for n, t in enumerate(TEXTS)
    ]  # noqa: E501


def export(project: object, folder: Path) -> None:
    settings.MEDIA_ROOT = tempfile.mkdtemp()
    archive = export_dataset(project.id, "JSONL")
    shutil.unpack_archive(archive, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
