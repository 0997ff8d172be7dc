"""The study that a command names."""

from django.core.management.base import CommandError

from annotation.models import Study


def study_by_slug(slug: str) -> Study:
    """The study; CommandError where there is none."""
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise CommandError(f"no study {slug!r}")
    return study
