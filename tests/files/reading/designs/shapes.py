"""All shapes by name."""

from collections.abc import Callable, Mapping

from tests.files.reading.designs import (
    flat_shapes,
    form_shapes,
    nested_shapes,
    pair_shapes,
    several_files,
)
from tests.files.reading.designs.design import Design
from tests.files.reading.designs.grids import Written

Shape = Callable[[Design], Written | None]

OF_PAIRS: Mapping[str, Shape] = {
    "pairs, long": pair_shapes.pairs_long,
    "pairs, wide by annotator": pair_shapes.pairs_wide,
    "pairs, batch": pair_shapes.pairs_batch,
}
OF_OUTPUTS: Mapping[str, Shape] = {
    "long": flat_shapes.long,
    "wide by criterion": flat_shapes.wide_by_criterion,
    "wide by annotator": flat_shapes.wide_by_rater,
    "wide by both": flat_shapes.wide_by_both,
    "wide by system": flat_shapes.wide_by_system,
    "batch": flat_shapes.batch,
    "numbered columns": flat_shapes.numbered,
    "ticks": flat_shapes.ticks,
    "form": form_shapes.form,
    "survey": form_shapes.survey,
    "file by annotator": several_files.file_by_rater,
    "file by system": several_files.file_by_system,
    "file by criterion": several_files.file_by_criterion,
    "blinded": several_files.blinded,
    "texts beside": several_files.texts_beside,
    "texts in order": several_files.texts_in_order,
    "lists of lists": nested_shapes.lists_of_lists,
    "systems as keys": nested_shapes.systems_as_keys,
    "raters as objects": nested_shapes.raters_as_objects,
    "raters as keys": nested_shapes.raters_as_keys,
    "objects by key": nested_shapes.objects_by_key,
    "objects by rater": nested_shapes.objects_by_rater,
}
SHAPES: Mapping[str, Shape] = {**OF_OUTPUTS, **OF_PAIRS}
