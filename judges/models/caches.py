"""Replies that were paid for and pages that were retrieved, kept for later use."""

from dataclasses import fields

from django.db import models

from retrieval.page import Page, PageOutcome


class CachedReply(models.Model):
    """A reply that was paid for, with the hash of its whole request as its key."""

    # SHA-256 of endpoint, model, messages, parameters, prompt hash, seed and sample.
    key = models.CharField(max_length=64, primary_key=True)
    reply = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.key


class RetrievedPage(models.Model):
    """A page as it was retrieved at a certain time, for judges. One row for each retrieval."""

    # SHA-256 of the address without its fragment, by which a page is looked up.
    url_sha256 = models.CharField(max_length=64)
    url = models.TextField()
    final_url = models.TextField(blank=True)
    outcome = models.CharField(
        max_length=20, choices=[(outcome.value, outcome.value) for outcome in PageOutcome]
    )
    reason = models.TextField(blank=True)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    content_type = models.CharField(max_length=200, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    title = models.TextField(blank=True)
    text = models.TextField(blank=True)
    # What fetched the page and what extracted its text, with versions.
    via = models.CharField(max_length=200, blank=True)
    retrieved_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["url_sha256", "-id"], name="page_newest_by_url")]

    def __str__(self) -> str:
        return f"{self.url} at {self.retrieved_at:%Y-%m-%d %H:%M}"

    def as_page(self) -> Page:
        """The page as a judge's method gets it."""
        return Page(
            outcome=PageOutcome(self.outcome),
            **{
                field.name: getattr(self, field.name)
                for field in fields(Page)
                if field.name != "outcome"
            },
        )
