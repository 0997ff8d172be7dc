"""The answer about importance as separate values, for judges without a model."""

from collections.abc import Iterator, Sequence

from tasktypes.importance import schema
from tasktypes.machines.parts import Part, Value, others
from tasktypes.machines.scores import against


def parts(payload: schema.Payload) -> tuple[Part, ...]:
    """Label, place and support of every claim, then every fact; as far as they are asked."""
    return tuple(_parts(payload))


def to_parts(payload: schema.Payload, answer: schema.Answer) -> list[Value | None]:
    """The values of an answer, in that order."""
    labels = {claim.claim: claim for claim in answer.claims}
    places = {claim: float(place) for place, claim in enumerate(answer.order or (), start=1)}
    facts = {nugget.nugget: nugget.support for nugget in answer.nuggets}
    numbers = range(len(payload.claims))
    values: list[Value | None] = []
    if payload.asks("importance"):
        values += [labels[number].importance for number in numbers]
    if payload.asks("order"):
        values += [places.get(number) for number in numbers]
    if payload.asks("support"):
        values += [labels[number].support for number in numbers]
    if payload.asks("nuggets"):
        values += [facts.get(number) for number in range(len(payload.nuggets))]
    return values


def from_parts(payload: schema.Payload, values: Sequence[Value]) -> schema.Answer:
    """The answer; claims are put in order by their expected places."""
    remaining, size = iter(values), len(payload.claims)
    taken = {
        part: [next(remaining) for _ in range(len(payload.nuggets) if part == "nuggets" else size)]
        for part in schema.PARTS
        if payload.asks(part)
    }
    order = None
    if (places := taken.get("order")) is not None:
        order = sorted(range(size), key=lambda number: float(places[number]))
    nothing = [None] * size
    if order is not None and payload.orders_vital:
        order = [number for number in order if taken["importance"][number] == "vital"]
    labels = zip(taken.get("importance", nothing), taken.get("support", nothing), strict=True)
    return schema.Answer.model_validate(
        {
            "claims": [
                {"claim": number, "importance": importance, "support": support}
                for number, (importance, support) in enumerate(labels)
            ],
            "order": order,
            "nuggets": [
                {"nugget": number, "support": support}
                for number, support in enumerate(taken.get("nuggets", []))
            ],
        }
    )


def _parts(payload: schema.Payload) -> Iterator[Part]:
    claims, asked = payload.claims, payload.query or payload.claim
    if payload.asks("importance"):
        for claim in claims:
            yield Part("importance", claim, asked, schema.LABELS)
    if payload.asks("order"):
        for at, claim in enumerate(claims):
            rivals = others(claims, at)
            yield Part("order", claim, asked, low=1, high=len(claims), rivals=rivals, place=at)
    if payload.asks("support"):
        documents = against(payload.document, [passage.text for passage in payload.passages])
        for claim in claims:
            yield Part("support", claim, documents, schema.SUPPORT)
    if payload.asks("nuggets"):
        response = " ".join(payload.sentences)
        for nugget in payload.nuggets:
            yield Part("nugget", nugget, response, schema.NUGGET_SUPPORT)
