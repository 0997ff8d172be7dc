"""Encrypt the tokens of invitations and personal links; each is found again by a keyed hash."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import migrations, models
from django.utils.crypto import salted_hmac

import annotation.models.links

NAMES = {"Worker": "return_token", "Invitation": "token"}
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
    ciphers = _ciphers()
    for name, column in NAMES.items():
        rows = _rows(apps, schema_editor, name)
        changed = list(rows.only("pk", column))
        for row in changed:
            token = getattr(row, column)
            row.sealed_token = ciphers.encrypt(token.encode()).decode()
            made = salted_hmac("annotation.links", token, algorithm="sha256")
            row.token_hash = made.hexdigest()
        _store(rows, changed, "sealed_token", "token_hash")


def open_tokens(apps, schema_editor):
    """A token that no key opens any more becomes one that nobody knows."""
    ciphers = _ciphers()
    for name, column in NAMES.items():
        rows = _rows(apps, schema_editor, name)
        changed = list(rows.only("pk", "sealed_token"))
        for row in changed:
            try:
                token = ciphers.decrypt(row.sealed_token.encode()).decode()
            except InvalidToken:
                token = annotation.models.links.new_token()
            setattr(row, column, token)
        _store(rows, changed, column)


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0025_demonstrations"),
    ]

    operations = [
        *(
            migrations.AddField(model, name, models.CharField(max_length=length, null=True))
            for model in ("worker", "invitation")
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
