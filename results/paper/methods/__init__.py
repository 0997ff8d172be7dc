"""The paragraph on methods: who answered, by which rules, what machines did, how it is counted."""

from estimates.report.cache import Report
from results.paper.methods.counting import counting
from results.paper.methods.machines import machines
from results.paper.methods.people import people
from results.paper.methods.registration import registration
from results.paper.methods.rules import rules
from results.paper.paragraphs import Paragraph


def methods_of(report: Report) -> Paragraph:
    """What is known of how the report's numbers came about."""
    parts = (registration, people, rules, machines, counting)
    return Paragraph([sentence for part in parts for sentence in part(report)])
