"""Any panel that puts its ids into the address, with parameter names from the study file."""

from django.http import QueryDict

from annotation.panels.contract import Panel, Recruitment, Visit, read_id


class Generic(Panel):
    """Only the worker's id is needed; session and study are read where they are named."""

    slug = "generic"

    def visit(self, query: QueryDict, recruitment: Recruitment) -> Visit:
        names = {"worker": "worker", **recruitment.parameters}
        return Visit(**{part: read_id(query, name) for part, name in names.items()})

    def placeholders(self, recruitment: Recruitment) -> str:
        names = {"worker": "worker", **recruitment.parameters}
        return "&".join(f"{name}=…" for name in names.values())

    def missing(self, recruitment: Recruitment, *, screens_out: bool) -> list[str]:
        return [] if recruitment.parameters.get("worker") else ["parameters.worker"]


PANEL = Generic()
