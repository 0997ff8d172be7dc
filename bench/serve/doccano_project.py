"""Run by doccano's own Python, in its own Django: users, and a project to label."""

import os
import sys
from pathlib import Path

import django

PASSWORD = "a password for the bench alone"


def set_up(texts: Path, users: int, labels: int) -> None:
    """Users `worker0` and so on, members of project 1 with its texts and labels."""
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import User

    hashed = make_password(PASSWORD)
    User.objects.bulk_create(
        User(username=f"worker{number}", password=hashed) for number in range(users)
    )
    _project(texts.read_text(encoding="utf-8").split("\0"), labels)


def _project(texts: list[str], labels: int) -> None:
    from django.contrib.auth.models import User
    from examples.models import Example  # type: ignore[import-not-found]
    from label_types.models import CategoryType  # type: ignore[import-not-found]
    from projects.models import (  # type: ignore[import-not-found]
        Member,
        TextClassificationProject,
    )
    from roles.models import Role  # type: ignore[import-not-found]

    project = TextClassificationProject.objects.create(
        name="bench", project_type="DocumentClassification", created_by=User.objects.first()
    )
    annotator = Role.objects.get(name="annotator")
    for user in User.objects.all():
        Member.objects.create(user=user, role=annotator, project=project)
    for number in range(labels):
        CategoryType.objects.create(text=str(number), project=project)
    Example.objects.bulk_create(Example(project=project, text=text) for text in texts)
    print(project.pk, CategoryType.objects.order_by("pk").values_list("pk", flat=True)[0])


if __name__ == "__main__":
    backend = Path(sys.argv[1])
    os.chdir(backend)
    sys.path.insert(0, str(backend))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.production"
    django.setup()
    set_up(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
