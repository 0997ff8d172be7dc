"""The form of requests that go out by batch, as earlier batches have taught it.

A live call that is rejected is made again at once in a simpler form. A batch ends hours later in
another process, so what was learned from it is kept in its row.
"""

from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

from endpoints.capabilities import RequestForm, capabilities_of, form_after_batch
from endpoints.registry import endpoint
from judges.backends.chat.batches import NOT_TAKEN
from judges.backends.contract import Reply
from judges.models import BatchJob

# Endpoints change: what one rejected is tried again after so long.
VALID_FOR = timedelta(days=30)


def learned_form(endpoint_name: str, model: str) -> RequestForm:
    """The form in which an endpoint takes requests for a model, as far as is known."""
    configured = endpoint(endpoint_name)
    capabilities = capabilities_of(configured, model)
    since = timezone.now() - VALID_FOR
    jobs = BatchJob.objects.filter(endpoint=endpoint_name, model=model, ended_at__gte=since)
    newest = jobs.filter(counts__learned__base_url=configured.shown_url).order_by(
        "-ended_at", "-pk"
    )
    for counts in newest.values_list("counts", flat=True)[:1]:
        form = RequestForm.from_json(counts["learned"])
        capabilities.form = capabilities.form.merged_with(form)
    return capabilities.form


def keys_to_ask_again(job: BatchJob, replies: Mapping[str, Reply]) -> set[str]:
    """The keys of rejected requests for which another form may help.

    The other form is noted in the job's counts, for `learned_form`.
    """
    rejected = {
        key: reply.detail[NOT_TAKEN] for key, reply in replies.items() if NOT_TAKEN in reply.detail
    }
    form = RequestForm.from_json(job.sent["form"])
    body = dict.fromkeys(job.sent["names"])
    learned = form_after_batch(
        form, body, list(rejected.values()), n_taken=len(replies) - len(rejected)
    )
    if learned == form:
        return set()
    base_url = endpoint(job.endpoint).shown_url
    job.counts = {"learned": {**learned.as_json(), "base_url": base_url}}
    return {key for key in job.sent["keys"] if key in rejected}
