"""The cast of the tests: a few people in fixed roles, and a small study to put them in.

`owner`, `colleague` (a viewer) and `outsider` are researchers; workers come through the
study's invitations. `make_study` writes a study of citation recovery followed by a slider.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from annotation.models import (
    Block,
    Item,
    Member,
    Place,
    Question,
    Round,
    Source,
    Study,
    Subset,
    Unit,
    UnitItem,
    User,
)

PASSWORD = "a password for tests alone"
BLOCKS: tuple[tuple[str, dict[str, Any]], ...] = (("citation_recovery", {}), ("slider", {}))


def make_user(name: str) -> User:
    return User.objects.create_user(name, password=PASSWORD)


@pytest.fixture
def owner(db: None) -> User:
    return make_user("owner")


@pytest.fixture
def colleague(db: None) -> User:
    return make_user("colleague")


@pytest.fixture
def outsider(db: None) -> User:
    return make_user("outsider")


@pytest.fixture
def study(owner: User, colleague: User) -> Study:
    """A small open study: three sources, two answers wanted for each unit."""
    made = make_study()
    join(made, owner, Member.Role.OWNER)
    join(made, colleague, Member.Role.VIEWER)
    return made


def join(study: Study, user: User, role: Member.Role) -> Member:
    return Member.objects.create(study=study, user=user, role=role)


def make_study(
    slug: str = "small",
    *,
    sources: int = 3,
    overlap: int = 2,
    blocks: Sequence[tuple[str, dict[str, Any]]] = BLOCKS,
    positive: int = 0,
    negative: int = 0,
    per_batch: int = 2,
    state: Study.State = Study.State.OPEN,
    **fields: Any,
) -> Study:
    """A study with `sources` normal units (one per source) and controls, ready to be worked.

    A batch holds `per_batch` normal units, and one of each kind of control that exists.
    """
    study = Study.objects.create(
        slug=slug,
        title="A small study",
        state=state,
        overlap=overlap,
        setting="sample",
        instructions="Read the passage, then choose the sentences that should cite it.",
        consent_text="Taking part is voluntary.",
        consent_version="1",
        ethics={
            "board": "Example board",
            "reference": "E-1",
            "contact": "contact@example.org",
            "controller": "Example university",
            "lawful_basis": "consent",
            "retention_days": 365,
            "minimum_age": 18,
        },
        recruitment={"panel": "invitation", "completion_code": "DONE-1"},
        **fields,
    )
    for position, (task_type, options) in enumerate(blocks):
        Block.objects.create(
            study=study, position=position, key=task_type, task_type_slug=task_type, options=options
        )
    round_ = Round.objects.create(
        study=study,
        position=0,
        name="main",
        normal_per_batch=per_batch,
        positive_per_batch=bool(positive),
        negative_per_batch=bool(negative),
        expected_minutes=7,
        base_pay="1.00",
        bonus_pay="0.50",
    )
    roles = [Unit.Role.NORMAL] * sources
    roles += [Unit.Role.POSITIVE] * positive + [Unit.Role.NEGATIVE] * negative
    for number, role in enumerate(roles):
        add_unit(study, round_, number, role)
    return study


def add_unit(study: Study, round_: Round, number: int, role: Unit.Role) -> Unit:
    """Passage 1 is in question; sentences 0 and 2 cite it, in a negative control none does."""
    source = Source.objects.create(
        study=study,
        key=f"claim-{number}",
        claim=f"The bridge number {number} was closed last year.",
        verdict="false" if number % 2 else "true",
        passages=[
            {"index": 0, "text": f"Bridge {number} opened in spring.", "selected": True},
            {"index": 1, "text": f"Bridge {number} carried traffic all year.", "selected": True},
            {"index": 2, "text": "The river rose twice.", "selected": False},
        ],
        chains=[[0, 1]],
    )
    cites = [] if role == Unit.Role.NEGATIVE else [1]
    item = Item.objects.create(
        study=study,
        source=source,
        key=f"claim-{number}/alder",
        system="Alder" if number % 2 else "Birch",
        evidence_source="human",
        sentences=[
            _sentence(f"Traffic crossed bridge {number} all year", cites),
            _sentence("The bridge opened in spring", [0]),
            _sentence("So it was not closed", cites),
        ],
    )
    unit = Unit.objects.create(
        study=study, source=source, key=f"{item.key}/1", role=role, focus={"passage": 1}
    )
    UnitItem.objects.create(unit=unit, item=item, position=0)
    for name in ("sample", "full"):
        unit.subsets.add(Subset.objects.get_or_create(study=study, name=name)[0])
    for block in study.blocks.all():
        _question(study, unit, block, source, item)
    Place.objects.create(
        round=round_,
        unit=unit,
        source=source,
        role=role,
        wanted=study.overlap if role == Unit.Role.NORMAL else None,
        shuffle=(number * 7919) % 1000,
    )
    return unit


def _sentence(text: str, cites: Sequence[int]) -> dict[str, Any]:
    return {"text": text + "." + "".join(f"[{k}]" for k in cites), "citations": list(cites)}


def _question(study: Study, unit: Unit, block: Block, source: Source, item: Item) -> Question:
    about = (source.material, [item.material], unit.focus, block.typed_options)
    reference = block.task_type.reference(*about)
    return Question.objects.create(
        study=study,
        unit=unit,
        block=block,
        payload=block.task_type.payload(*about).model_dump(mode="json"),
        reference=None if reference is None else reference.model_dump(mode="json"),
    )
