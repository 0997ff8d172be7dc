"""What is kept for whoever asks again: replies that were paid for, and pages."""

from dataclasses import fields

from django.db import models

from judges.retrieval.page import Page, PageOutcome


class CachedReply(models.Model):
    """A reply that was paid for, found again by the whole request that led to it."""

    # SHA-256 of endpoint, model, messages, parameters, prompt hash, seed and sample.
    key = models.CharField(max_length=64, primary_key=True)
    reply = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.key


class RetrievedPage(models.Model):
    """What was found at a link at a certain time, and read by judges. A row for each retrieval."""

    # SHA-256 of the address without its fragment: what a page is found by.
    url_sha256 = models.CharField(max_length=64)
    url = models.TextField()
    final_url = models.TextField(blank=True)
    outcome = models.CharField(
        max_length=20, choices=[(one.value, one.value) for one in PageOutcome]
    )
    reason = models.TextField(blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    content_type = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    title = models.TextField(blank=True)
    text = models.TextField(blank=True)
    # What fetched the page and what took the text out of it, with versions.
    via = models.CharField(max_length=200, blank=True)
    retrieved_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["url_sha256", "-id"], name="page_newest_by_url")]

    def __str__(self) -> str:
        return f"{self.url} at {self.retrieved_at:%Y-%m-%d %H:%M}"

    def as_page(self) -> Page:
        """The row as a judge's method gets it."""
        return Page(
            outcome=PageOutcome(self.outcome),
            **{
                field.name: getattr(self, field.name)
                for field in fields(Page)
                if field.name != "outcome"
            },
        )
