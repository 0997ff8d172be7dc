"""Links by which anybody may read the results of a closed study, until an owner revokes them."""

from django.utils import timezone

from annotation.models import Study, User, log_change
from annotation.models.links import new_token
from estimates.report.cache import Report
from results.models import ResultsLink
from results.paper.shared.page import may_be_shared, page_key, page_of_results


class NotClosed(Exception):
    """The study's answers may still change."""


def make_link(*, study: Study, by: User) -> ResultsLink:
    """A new link; NotClosed where answers may still come in."""
    if not may_be_shared(study):
        raise NotClosed
    link = ResultsLink.objects.create(study=study, token=new_token(), created_by=by)
    log_change(study=study, by=by, action="results.shared", subject=str(link.pk))
    return link


def revoke_link(*, link: ResultsLink, by: User | None = None) -> bool:
    """Let nobody read by it any more; False where that was done before. Its page is dropped."""
    standing = ResultsLink.objects.filter(pk=link.pk, revoked_at=None)
    if not standing.update(revoked_at=timezone.now(), page="", page_key=""):
        return False
    log_change(study=link.study, by=by, action="results.unshared", subject=str(link.pk))
    return True


def drop_pages(study: Study, **_signal: object) -> None:
    """Keep no page of a study until its answers are counted anew."""
    ResultsLink.objects.filter(study=study).update(page="", page_key="")


def standing_link(token: str) -> ResultsLink | None:
    """The link of that token, where it is not revoked and its study is closed."""
    links = ResultsLink.objects.select_related("study").filter(revoked_at=None)
    link = links.filter(token=token, study__importing=None).first()
    return link if link is not None and may_be_shared(link.study) else None


def page_by(link: ResultsLink, report: Report) -> str:
    """The page, made only where something has changed since the last time."""
    key = page_key(report)
    if link.page_key != key:
        link.page, link.page_key = page_of_results(report), key
        standing = ResultsLink.objects.filter(pk=link.pk, revoked_at=None)
        standing.update(page=link.page, page_key=key)
    return link.page
