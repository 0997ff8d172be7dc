from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("judges", "0011_judges_of_studies"),
    ]

    operations = [
        migrations.AddConstraint(
            model_name="judge",
            constraint=models.UniqueConstraint(
                fields=("study", "name", "version"), name="judge_version_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="judge",
            constraint=models.UniqueConstraint(
                fields=("study", "name", "fingerprint"), name="judge_fingerprint_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="judge",
            constraint=models.UniqueConstraint(
                condition=models.Q(("study", None)),
                fields=("name", "version"),
                name="built_in_version_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="judge",
            constraint=models.UniqueConstraint(
                condition=models.Q(("study", None)),
                fields=("name", "fingerprint"),
                name="built_in_fingerprint_once",
            ),
        ),
    ]
