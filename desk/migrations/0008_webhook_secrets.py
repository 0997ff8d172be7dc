"""Encrypt the secrets of webhooks that lie in plain text."""

from django.db import migrations, models

from desk.models.encryption import WEBHOOK_SECRETS, SecretField, Unreadable, decrypt, encrypt


def encrypt_secrets(apps, schema_editor):
    webhooks = apps.get_model("desk", "Webhook").objects.using(schema_editor.connection.alias)
    for key, secret in webhooks.values_list("pk", "secret"):
        webhooks.filter(pk=key).update(secret=encrypt(secret, WEBHOOK_SECRETS))


def decrypt_secrets(apps, schema_editor):
    """A secret that no key opens any more is removed with its webhook, which could sign nothing."""
    webhooks = apps.get_model("desk", "Webhook").objects.using(schema_editor.connection.alias)
    for key, secret in webhooks.values_list("pk", "secret"):
        try:
            webhooks.filter(pk=key).update(secret=decrypt(secret, WEBHOOK_SECRETS))
        except Unreadable:
            webhooks.filter(pk=key).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("desk", "0007_kept_figures"),
    ]

    operations = [
        migrations.AlterField(
            model_name="webhook", name="secret", field=models.CharField(max_length=255)
        ),
        migrations.RunPython(encrypt_secrets, decrypt_secrets),
        migrations.AlterField(
            model_name="webhook", name="secret", field=SecretField(max_length=255)
        ),
    ]
