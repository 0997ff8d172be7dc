"""In which form requests go out by batch: as what came back of earlier batches has shown.

A live call that is not taken is made again at once in another form. A batch comes back to another
process, hours later, so what it showed is kept with its row.
"""

from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

from judges.backends.chat.batch_files import NOT_TAKEN
from judges.backends.chat.habits import Form, after_many, habits_of
from judges.backends.contract import Reply
from judges.backends.endpoints import endpoint
from judges.models import BatchJob

# Endpoints learn, too: what one did not take is tried again after so long.
KNOWN_FOR = timedelta(days=30)


def known_form(endpoint_name: str, model: str) -> Form:
    """The form in which an endpoint takes requests for a model, as far as anybody knows."""
    address = endpoint(endpoint_name)
    habits = habits_of(address, model)
    since = timezone.now() - KNOWN_FOR
    jobs = BatchJob.objects.filter(endpoint=endpoint_name, model=model, ended_at__gte=since)
    newest = jobs.filter(counts__learned__base_url=address.base_url).order_by("-ended_at", "-pk")
    for counts in newest.values_list("counts", flat=True)[:1]:
        habits.form = habits.form.joined(Form.told(counts["learned"]))
    return habits.form


def not_taken(job: BatchJob, came: Mapping[str, Reply]) -> set[str]:
    """The keys of what is to be asked again in another form, which is noted in the job's counts;
    none where no other form would help."""
    refused = {key: came[key].detail[NOT_TAKEN] for key in came if NOT_TAKEN in came[key].detail}
    sent = Form.told(job.sent["form"])
    names = dict.fromkeys(job.sent["names"])
    learned = after_many(sent, names, list(refused.values()), len(came) - len(refused))
    if learned == sent:
        return set()
    base_url = endpoint(job.endpoint).base_url
    job.counts = {"learned": {**learned.as_json(), "base_url": base_url}}
    return {key for key in job.sent["keys"] if key in refused}
