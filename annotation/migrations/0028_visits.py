"""A worker's browser belongs to their participations, study by study, and not to the worker."""

from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models

OLD, NEW = "worker", "places"


def name_places(apps, schema_editor):
    """Nobody is signed out: who was here in this browser has shown who they are."""
    alias = schema_editor.connection.alias
    participations = apps.get_model("annotation", "Participation").objects.using(alias)
    sessions = apps.get_model("annotation", "BrowserSession").objects.using(alias)
    store = SessionStore()
    for session in sessions.iterator():
        data = store.decode(session.session_data)
        if OLD not in data:
            continue
        mine = participations.filter(worker=data.pop(OLD)).order_by("pk")
        places = mine.values_list("study__slug", "pk", "token_hash")
        data[NEW] = {slug: [key, f"own-{mark[:16]}"] for slug, key, mark in places}
        sessions.filter(pk=session.pk).update(session_data=store.encode(data))


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0027_no_open_links"),
    ]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="begun_in",
            field=models.CharField(blank=True, default="", max_length=22),
            preserve_default=False,
        ),
        migrations.RunPython(name_places, migrations.RunPython.noop),
    ]
