"""Encrypt the tokens of invitations and personal links, now one for each participation; each is found again by a keyed hash."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import migrations, models
from django.utils.crypto import salted_hmac

import annotation.models.links

AT_ONCE = 1000


def _ciphers():
    """As `annotation.models.encryption` makes them for links."""
    digests = [
        hashlib.blake2b(key.encode(), digest_size=32, person=b"links").digest()
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def _rows(apps, schema_editor, name):
    return apps.get_model("annotation", name).objects.using(schema_editor.connection.alias)


def _store(rows, changed, *names):
    for at in range(0, len(changed), AT_ONCE):
        rows.bulk_update(changed[at : at + AT_ONCE], names)


def seal_tokens(apps, schema_editor):
    """A worker's link led to all their studies, so each participation gets it."""
    ciphers = _ciphers()
    for name, column in (("Participation", "worker__return_token"), ("Invitation", "token")):
        rows, changed = _rows(apps, schema_editor, name), []
        for key, token in rows.values_list("pk", column):
            sealed = ciphers.encrypt(token.encode()).decode()
            made = salted_hmac("annotation.links", token, algorithm="sha256")
            changed.append(rows.model(pk=key, sealed_token=sealed, token_hash=made.hexdigest()))
        _store(rows, changed, "sealed_token", "token_hash")


def open_tokens(apps, schema_editor):
    """A token that no key opens any more becomes one that nobody knows; of a worker's links the
    first remains."""
    participations = _rows(apps, schema_editor, "Participation").order_by("-pk")
    tokens = dict(participations.values_list("worker", "sealed_token"))
    workers = _rows(apps, schema_editor, "Worker")
    changed = [
        workers.model(pk=key, return_token=_opened(tokens.get(key, "")))
        for key in workers.values_list("pk", flat=True)
    ]
    _store(workers, changed, "return_token")
    invitations = _rows(apps, schema_editor, "Invitation")
    changed = [
        invitations.model(pk=key, token=_opened(sealed))
        for key, sealed in invitations.values_list("pk", "sealed_token")
    ]
    _store(invitations, changed, "token")


def _opened(sealed):
    try:
        return _ciphers().decrypt(sealed.encode()).decode()
    except InvalidToken:
        return annotation.models.links.new_token()


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0025_demonstrations"),
    ]

    operations = [
        *(
            migrations.AddField(model, name, models.CharField(max_length=length, null=True))
            for model in ("participation", "invitation")
            for name, length in (("sealed_token", 255), ("token_hash", 64))
        ),
        # Back, the columns are there again, empty until they are filled.
        migrations.AlterField(
            "worker", "return_token", models.CharField(max_length=40, null=True, unique=True)
        ),
        migrations.AlterField(
            "invitation", "token", models.CharField(max_length=40, null=True, unique=True)
        ),
        migrations.RunPython(seal_tokens, open_tokens),
    ]
