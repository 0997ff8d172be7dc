"""The cast of the tests: a few people in fixed roles, and a small study to put them in.

`owner`, `colleague` (a viewer) and `outsider` are researchers; workers come through the
study's invitations. `make_study` writes a study of citation recovery followed by a slider.
"""

from collections.abc import Iterable, Sequence
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
        again = task_type in [name for name, _ in blocks[:position]]
        key = f"{task_type}-{position + 1}" if again else task_type
        Block.objects.create(
            study=study, position=position, key=key, task_type_slug=task_type, options=options
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
    add_units(study, round_, enumerate(roles))
    return study


def add_unit(study: Study, round_: Round, number: int, role: Unit.Role) -> Unit:
    """One unit of the round, as `add_units` makes them."""
    (unit,) = add_units(study, round_, [(number, role)])
    return unit


def add_units(study: Study, round_: Round, roles: Iterable[tuple[int, Unit.Role]]) -> list[Unit]:
    """Units of the round by their number and role, one per source, with a statement per table."""
    numbered = list(roles)
    sources = Source.objects.bulk_create(_source(study, number) for number, _ in numbered)
    items = Item.objects.bulk_create(
        _item(study, source, number, role)
        for source, (number, role) in zip(sources, numbered, strict=True)
    )
    units = Unit.objects.bulk_create(
        Unit(study=study, source=item.source, key=f"{item.key}/1", role=role, focus={"passage": 1})
        for item, (_, role) in zip(items, numbered, strict=True)
    )
    UnitItem.objects.bulk_create(
        UnitItem(unit=unit, item=item, position=0) for unit, item in zip(units, items, strict=True)
    )
    for name in ("sample", "full"):
        Subset.objects.get_or_create(study=study, name=name)[0].units.add(*units)
    blocks = list(study.blocks.all())
    Question.objects.bulk_create(
        _question(unit, block, item)
        for unit, item in zip(units, items, strict=True)
        for block in blocks
    )
    Place.objects.bulk_create(
        _place(round_, unit, number) for unit, (number, _) in zip(units, numbered, strict=True)
    )
    return units


def _source(study: Study, number: int) -> Source:
    """Passage 1 is in question; passages 0 and 1 are selected."""
    return Source(
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


def _item(study: Study, source: Source, number: int, role: Unit.Role) -> Item:
    """Sentences 0 and 2 cite the passage in question, in a negative control none does."""
    cites = [] if role == Unit.Role.NEGATIVE else [1]
    return Item(
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


def _sentence(text: str, cites: Sequence[int]) -> dict[str, Any]:
    return {"text": text + "." + "".join(f"[{k}]" for k in cites), "citations": list(cites)}


def _question(unit: Unit, block: Block, item: Item) -> Question:
    about = (item.source.material, [item.material], unit.focus, block.typed_options)
    reference = block.task_type.reference(*about)
    return Question(
        study=unit.study,
        unit=unit,
        block=block,
        payload=block.task_type.payload(*about).model_dump(mode="json"),
        reference=None if reference is None else reference.model_dump(mode="json"),
    )


def _place(round_: Round, unit: Unit, number: int) -> Place:
    return Place(
        round=round_,
        unit=unit,
        source=unit.source,
        role=unit.role,
        wanted=unit.study.overlap if unit.role == Unit.Role.NORMAL else None,
        shuffle=(number * 7919) % 1000,
    )
