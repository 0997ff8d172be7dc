"""The form that takes a judge over from another study."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from annotation.models import Study, User
from judges.definitions.proposals import judges_elsewhere, named_with_study
from judges.models import Judge


class _JudgeElsewhere(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Judge) -> str:
        return named_with_study(obj)


class TakeOverForm(forms.Form):
    """A judge of another study that the user may read, to be defined here as well."""

    judge = _JudgeElsewhere(Judge.objects.none(), label=gettext_lazy("Judge"))
    name = forms.CharField(
        label=gettext_lazy("Name here"),
        help_text=gettext_lazy("Empty: as there."),
        max_length=80,
        required=False,
    )

    def __init__(self, study: Study, user: User, data: Any = None) -> None:
        super().__init__(data, auto_id="taken_%s")
        field = self.fields["judge"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = judges_elsewhere(study=study, user=user)

    @property
    def chosen(self) -> dict[str, Any]:
        """The arguments of `take_over`; only after `is_valid()`."""
        judge = self.cleaned_data["judge"]
        return {"judge": judge, "name": self.cleaned_data["name"] or judge.name}
