"""The routes of researchers' pages."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver

ROOMS = ("desk", "judges", "results")
NOT_ALLOWED = 405


def routes_in(resolver: URLResolver) -> Iterator[tuple[str, URLPattern]]:
    """(name, route) of all of them."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            if entry.namespace in ROOMS:
                for name, route in routes_in(entry):
                    yield f"{entry.namespace}:{name}", route
            elif not entry.namespace:
                yield from routes_in(entry)
        elif entry.name:
            yield entry.name, entry
