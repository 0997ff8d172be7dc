"""The study that programs post answers to, made and looked at in a process with Django.

`python -m bench.serve.bulk_study set-up SLUG UNITS PROGRAMS` prints a token for each program;
`python -m bench.serve.bulk_study compare SLUG SENT.json` prints what is lost and what is twice.
"""

import json
import os
import sys
from collections import Counter
from pathlib import Path

from bench.serve import study as studies

PER_BATCH = 20


def set_up(slug: str, units: int, programs: int) -> list[str]:
    """A study of so many units, and a token of its owner for each program."""
    from annotation.models import Member, Study, User
    from api.scopes import Scope
    from api.tokens import make_token

    studies.set_up(slug, units, PER_BATCH)
    owner = User.objects.create_user("owner")
    study = Study.objects.get(slug=slug)
    Member.objects.create(study=study, user=owner, role=Member.Role.OWNER)
    made = [
        make_token(owner=owner, name=f"program {n}", scopes=[Scope.WRITE], days=1, study=study)
        for n in range(programs)
    ]
    return [secret for _token, secret in made]


def compare(slug: str, journal: Path) -> dict[str, int]:
    """Answers that are not stored as they were sent, and those stored more than once."""
    from annotation.models import Annotation

    rows = Annotation.objects.filter(study__slug=slug).values_list(
        "question__unit__key", "rater__name", "answer"
    )
    stored = [(unit, rater, sorted(given["sentences"])) for unit, rater, given in rows]
    times = Counter((unit, rater) for unit, rater, _ in stored)
    there = {(unit, rater): sentences for unit, rater, sentences in stored}
    sent = json.loads(journal.read_text(encoding="utf-8"))
    lost = sum(
        there.get((line["unit"], line["rater"])) != sorted(line["answer"]["sentences"])
        for line in sent
    )
    return {"lost": lost, "twice": sum(n - 1 for n in times.values())}


def main(arguments: list[str]) -> None:
    """One of the two."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if arguments[0] == "set-up":
        print(*set_up(arguments[1], int(arguments[2]), int(arguments[3])))
    else:
        print(json.dumps(compare(arguments[1], Path(arguments[2]))))


if __name__ == "__main__":
    main(sys.argv[1:])
