"""Changing single keys of a study's file, as the forms of the set-up do."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.models import Study, User
from imports.study_file.writing import as_yaml, study_keys
from set_up.study_files.application import Edited, JustChanged, edit_study, version_of


def change_keys(
    *,
    study: Study,
    keys: Mapping[str, Any],
    version: str,
    keep: bool,
    by: User | None,
    uploads: Mapping[str, str] | None = None,
) -> Edited:
    """Change these keys of the study's file, and no others; not `keep`: only say what would change.
    version: of these keys as the form was made; JustChanged where they have another by now.
    by: who changes them, for the log. uploads: files of items that the keys name for the first
    time. ImportFailure names what cannot change."""
    standing = study_keys(Study.objects.get(pk=study.pk))
    if version != version_of_keys(standing, keys):
        raise JustChanged
    text = as_yaml({**standing, **keys})
    version = version_of(as_yaml(standing))
    return edit_study(study=study, text=text, version=version, keep=keep, by=by, uploads=uploads)


def version_of_keys(standing: Mapping[str, Any], names: Iterable[str]) -> str:
    """What tells one state of these keys from another, whatever the others are."""
    return version_of(as_yaml({name: standing.get(name) for name in sorted(names)}))
