"""Judges belong to studies: each one that exists goes to the studies that use it.

A run, a probe set or an answer uses a judge; the earliest of several studies keeps the row, the
others get copies with the same name and number, which their runs name from then on. What was taken
from a unit as an example stays in the study of that unit.
"""

from django.db import migrations

BUILT_IN = {"lexical": "", "embedding": "all-MiniLM-L6-v2"}
TAKEN_OUT = {"unit": "(of another study)"}


def give_to_studies(apps, schema_editor):
    Judge = apps.get_model("judges", "Judge")
    for judge in Judge.objects.order_by("pk"):
        if _is_built_in(judge):
            continue
        owners = _owners(apps, judge)
        if not owners:
            judge.delete()  # nothing was made with it, and no study defines it
            continue
        for number, study in enumerate(owners):
            _give(apps, judge, study, keeps_row=number == 0)


def _is_built_in(judge):
    """Whether it is as it comes, not one that a study defined or calibrated under that name."""
    is_plain = judge.name == judge.method and not judge.family and not judge.parameters.get("fit")
    by_default = judge.parameters.get("threshold", 0.5) == 0.5
    return is_plain and by_default and BUILT_IN.get(judge.name) == judge.model


def _owners(apps, judge):
    """The studies that use the judge, the one that it was made in or else the earliest first."""
    studies = apps.get_model("annotation", "Study").objects
    users = _users(apps, judge)
    home = studies.filter(slug=_home(judge)).first()
    if home is None and not users:
        home = _definer(studies, judge)
    others = studies.filter(pk__in=users).order_by("created_at", "pk")
    if home is not None:
        others = others.exclude(pk=home.pk)
    return [*([] if home is None else [home]), *others]


def _users(apps, judge):
    runs = apps.get_model("judges", "JudgeRun").objects.filter(judge=judge)
    probes = apps.get_model("judges", "ProbeSet").objects.filter(judge=judge)
    answering = apps.get_model("annotation", "Rater").objects.filter(
        kind="judge", origin="here", name=judge.name, version=judge.version,
        annotations__isnull=False,
    )
    rows = (runs, probes, answering)
    return {pk for users in rows for pk in users.order_by().values_list("study", flat=True)}


def _home(judge):
    """The study whose units are its examples, or in which its threshold was fitted."""
    examples = judge.parameters.get("examples", ())
    slugs = [example["study"] for example in examples if example.get("study")]
    fit = judge.parameters.get("fit") or {}
    return next(iter(slugs), fit.get("study", ""))


def _definer(studies, judge):
    """The one study whose file or page defines a judge of that name."""
    definers = [
        study
        for study in studies.exclude(judges=[])
        if any(isinstance(e, dict) and e.get("name") == judge.name for e in study.judges)
    ]
    return definers[0] if len(definers) == 1 else None


def _give(apps, judge, study, *, keeps_row):
    Judge = apps.get_model("judges", "Judge")
    fields = {
        field.attname: getattr(judge, field.attname)
        for field in Judge._meta.concrete_fields
        if not field.primary_key
    }
    fields |= {"study_id": study.pk, "parameters": _without_foreign(judge.parameters, study.slug)}
    if keeps_row:
        Judge.objects.filter(pk=judge.pk).update(**fields)
        return
    copy = Judge.objects.create(**fields)
    Judge.objects.filter(pk=copy.pk).update(created_at=judge.created_at)
    for name in ("JudgeRun", "ProbeSet"):
        rows = apps.get_model("judges", name).objects.filter(judge=judge, study=study)
        rows.update(judge=copy)


def _without_foreign(parameters, slug):
    """The parameters without what was taken from units of other studies."""
    if not parameters.get("examples"):
        return parameters
    examples = [
        TAKEN_OUT if example.get("study") not in (None, slug) else example
        for example in parameters["examples"]
    ]
    return {**parameters, "examples": examples}


class Migration(migrations.Migration):

    dependencies = [
        ("judges", "0010_study_of_a_judge"),
    ]

    operations = [
        migrations.RunPython(give_to_studies, migrations.RunPython.noop),
    ]
