"""Encrypt the secrets of webhooks that lie in plain text."""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.db import migrations, models


def _ciphers():
    """As `annotation.models.encryption` makes them for webhooks' secrets."""
    digests = [
        hashlib.blake2b(key.encode(), digest_size=32, person=b"webhook secrets").digest()
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


def encrypt_secrets(apps, schema_editor):
    webhooks = apps.get_model("desk", "Webhook").objects.using(schema_editor.connection.alias)
    for key, secret in webhooks.values_list("pk", "secret"):
        encrypted = _ciphers().encrypt(secret.encode()).decode()
        webhooks.filter(pk=key).update(secret=encrypted)


def decrypt_secrets(apps, schema_editor):
    """A secret that no key opens any more is removed with its webhook, which could sign nothing."""
    webhooks = apps.get_model("desk", "Webhook").objects.using(schema_editor.connection.alias)
    for key, encrypted in webhooks.values_list("pk", "secret"):
        try:
            secret = _ciphers().decrypt(encrypted.encode()).decode()
        except InvalidToken:
            webhooks.filter(pk=key).delete()
        else:
            webhooks.filter(pk=key).update(secret=secret)


class Migration(migrations.Migration):
    dependencies = [
        ("desk", "0007_kept_figures"),
    ]

    operations = [
        migrations.AlterField(
            model_name="webhook", name="secret", field=models.CharField(max_length=255)
        ),
        migrations.RunPython(encrypt_secrets, decrypt_secrets),
    ]
