"""Which kinds of text a model can write for a study: one entry each, for the command and the pages.

A kind says what its texts are made from, plans those that a study still lacks, and makes the
generator that writes them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from annotation.models import Source as SourceRow
from annotation.models import Study
from generators import explanations, responses
from generators.conversations import GenerationRefused
from generators.explanations import Explainer
from generators.generator import TextGenerator
from generators.perturbations import Condition, Perturber
from generators.planned_texts import Order, PlannedTexts, texts_of_sources, variants
from generators.responses import QUERY_KIND, Query, Responder
from tasktypes.registry import TASK_TYPES

# Claims that are looked at for whether people have selected evidence.
_LOOKED_AT = 20
Planner = Callable[[Study, Order, TextGenerator[Any]], PlannedTexts]


@dataclass(frozen=True)
class TextKind:
    """A kind of text.

    needs: what it is made from, as in "Needs …". of: the field of a source that asks for such a
    text; empty where items do. options: the parameters of its generator that a researcher chooses
    besides those of every generator. fixed: those that the kind sets. initial: what a form proposes
    for a study instead of a parameter's default.
    """

    name: str
    title: str
    needs: str
    generator: type[TextGenerator[Any]]
    plan: Planner
    of: str = ""
    options: tuple[str, ...] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    initial: Callable[[Study], Mapping[str, Any]] = lambda study: {}

    def generator_of(
        self, parameters: Mapping[str, Any], *, model: str, backend: str
    ) -> TextGenerator[Any]:
        """The generator with these parameters, as far as the kind has them: ValueError or
        GenerationRefused says what is wrong with them."""
        known = self.generator.Parameters.model_fields
        own = {name: value for name, value in parameters.items() if name in known}
        typed = self.generator.Parameters.model_validate({**own, **self.fixed})
        resolved = self.generator.resolve_parameters(typed)
        if problem := self.generator.prompt_problem(resolved, TASK_TYPES[0]):
            raise GenerationRefused(problem)
        return self.generator(resolved, model=model, backend=backend)

    def planned(self, study: Study, order: Order, generator: TextGenerator[Any]) -> PlannedTexts:
        """The texts that are left to write; GenerationRefused where there are none."""
        planned = self.plan(study, order, generator)
        if planned.texts:
            return planned
        why = "; ".join(planned.left_out_in_words())
        raise GenerationRefused(
            f"system: {order.system!r} has no texts left to write" + (f" ({why})" if why else "")
        )


def _explanations(study: Study, order: Order, generator: TextGenerator[Any]) -> PlannedTexts:
    evidence = generator.parameters.evidence
    lacks = partial(explanations.lacks, evidence=evidence)
    return texts_of_sources(study, order, lacks=lacks, evidence=evidence)


def _who_selects(study: Study) -> Mapping[str, Any]:
    """The model, where nobody has selected evidence for the first claims."""
    rows = study.sources.exclude(claim="").order_by("pk")[:_LOOKED_AT]
    selected = [not explanations.lacks(row.material, "human") for row in rows]
    return {} if any(selected) or not selected else {"evidence": "machine"}


def _responses(study: Study, order: Order, _: TextGenerator[Any]) -> PlannedTexts:
    return texts_of_sources(study, order, lacks=responses.lacks, payload=_query)


def _query(row: SourceRow) -> dict[str, Any]:
    return Query.of(row.material, str(row.metadata.get(QUERY_KIND, ""))).model_dump(mode="json")


def _variant(condition: Condition, title: str) -> TextKind:
    return TextKind(
        name=condition,
        title=title,
        needs="texts of the system, whoever wrote them",
        generator=Perturber,
        plan=lambda study, order, _: variants(study, order, condition),
        fixed={"condition": condition},
    )


KINDS: tuple[TextKind, ...] = (
    TextKind(
        name="explanation",
        title="Explanations of claims",
        needs="claims with passages, and for evidence by people a chain or selected passages",
        generator=Explainer,
        plan=_explanations,
        of="claim",
        options=("evidence", "reply", "citations"),
        initial=_who_selects,
    ),
    TextKind(
        name="response",
        title="Responses to queries",
        needs="queries with passages or a document",
        generator=Responder,
        plan=_responses,
        of="query",
    ),
    _variant("missing", "Variants without the most important statement"),
    _variant("wrong", "Variants with the most important statement wrong"),
)
BY_NAME: Mapping[str, TextKind] = {kind.name: kind for kind in KINDS}
# Those that are written for sources, and those that are made from items.
OF_SOURCES = tuple(kind.name for kind in KINDS if kind.of)


def kind_for(study: Study) -> TextKind:
    """The kind that the study's sources ask for, a claim before a query; GenerationRefused where
    that is none, or where some ask for one and some for another."""
    asked, others = [], study.sources.all()
    for kind in KINDS:
        if kind.of and others.exclude(**{kind.of: ""}).exists():
            asked.append(kind)
            others = others.filter(**{kind.of: ""})
    if not asked:
        names = " nor ".join(f"a {kind.of}" for kind in KINDS if kind.of)
        raise GenerationRefused(f"sources: none has {names} to write about")
    if len(asked) > 1:
        names = " or ".join(kind.name for kind in asked)
        raise GenerationRefused(
            f"kind: the sources ask for several kinds of text, name one: {names}"
        )
    return asked[0]
