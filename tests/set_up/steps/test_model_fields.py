"""Fields that are drawn from a model, and read back by it."""

from typing import Annotated, Any

from django.http import QueryDict
from pydantic import Field

from imports.study_file.doors import drawn
from imports.study_file.parts import StudyFilePart
from set_up.steps.model_fields import DrawnForm, ModelFields


class Point(StudyFilePart):
    value: float | str
    """What is stored."""
    label: str = "none"


class Scale(StudyFilePart):
    share: Annotated[float, Field(ge=0, le=1)] = drawn(0.5, "Share, %", control="percent")
    limit: int | None = 3
    names: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()


def form_of(standing: dict[str, Any], posted: str = "") -> tuple[DrawnForm, ModelFields]:
    form = DrawnForm(QueryDict(posted, mutable=True) if posted else None)
    return form, ModelFields(form, Scale, standing, at=("k",))


def test_a_share_is_shown_and_typed_as_its_percent() -> None:
    form, _fields = form_of({"share": 0.755})
    assert form["k.share"].value() == 75.5
    form, fields = form_of({}, "k.share=12.5&k.limit=1")
    assert form.is_valid()
    assert fields.record["share"] == 0.125


def test_only_a_number_that_may_be_null_may_be_left_out() -> None:
    form, fields = form_of({}, "k.share=&k.limit=")
    assert dict(form.errors) == {"k.share": ["This is needed."]}
    assert fields.record["limit"] is None


def test_what_is_left_alone_stays_though_it_is_shown_in_other_words() -> None:
    standing = {"names": ["one\nname", "two"]}
    form, fields = form_of(standing, "k.names=one%0D%0Aname%0D%0Atwo")
    assert form.is_valid()
    assert fields.record["names"] == standing["names"]
    form, fields = form_of(standing, "k.names=one%0D%0Atwo")
    assert form.is_valid()
    assert fields.record["names"] == ["one", "two"]


def test_a_row_is_removed_and_another_begins_with_its_defaults() -> None:
    rows = "k.points.count=2&k.points.0.value=1&k.points.1.value=x&k.points.1.label=X"
    form, fields = form_of({}, f"{rows}&go=remove:k.points.0")
    assert form.is_valid()
    assert fields.record["points"] == [{"value": "x", "label": "X"}]
    form, fields = form_of({}, f"{rows}&go=add:k.points")
    assert form["k.points.2.label"].value() == "none"
    assert form["k.points.count"].value() == "3"


def test_what_the_model_refuses_is_said_at_its_field_or_at_the_rows_around_it() -> None:
    _form, fields = form_of({})
    refused = {"points": [{"value": 1, "label": 2}], "limit": "many"}
    assert {name for name, _text in fields.complaints(refused)} == {"k.limit", "k.points.count"}
    with_row = form_of({"points": [{"value": 1}]})[1]
    assert {name for name, _text in with_row.complaints(refused)} == {
        *("k.limit", "k.points.0.label"),
    }
