"""The alert about judges that drift: they are asked the same again, and answer otherwise."""

from alerts.watched import Watched
from judges.probes.checks import DriftFinding, findings_of
from judges.probes.words import verdict

# So many judges are named.
NAMED = 3


def judges_drift(watched: Watched) -> str | None:
    """Judges whose newest asking of a probe set shows drift."""
    if watched.thresholds.drift is None:
        return None
    return " ".join(map(finding_text, findings_of(watched.study)[:NAMED])) or None


def finding_text(finding: DriftFinding) -> str:
    """A finding in a sentence."""
    since, text = finding.since.ended_at, verdict(finding.drift)
    return f"{finding.probe_set.judge}, since {since:%Y-%m-%d}. {text}"
