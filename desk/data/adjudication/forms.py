"""The forms of the adjudication page."""

from typing import Any

from django import forms
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from annotation.models import Block, Study

MOST_CASES, MOST_SAMPLED = 1_000, 5_000


class ContestedForm(forms.Form):
    """How many contested questions to add to the queue."""

    most = forms.IntegerField(
        label=_("How many"),
        min_value=1,
        max_value=MOST_CASES,
        initial=50,
        help_text=_("The most contested questions without a decision."),
    )


class _BlockField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic in its stubs alone
    """Blocks by the titles of their task types."""

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.task_type.title)


class AuditForm(forms.Form):
    """How large a random sample to draw, and of what."""

    block = _BlockField(Block.objects.none(), label=_("Question"), empty_label=None)
    size = forms.IntegerField(
        label=_("Sample size"),
        min_value=10,
        max_value=MOST_SAMPLED,
        initial=100,
        help_text=_("With 100 decided questions an error rate of 10 % is known to about ±6 %."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        help_text=_("Stored with the sample. The same seed draws the same questions."),
    )

    def __init__(self, study: Study, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        blocks = self.fields["block"]
        assert isinstance(blocks, forms.ModelChoiceField)
        blocks.queryset = study.blocks.all()
        self.fields["seed"].initial = int(get_random_string(6, "123456789"))
