"""The addresses of what a study has one of, such as its webhook."""

from rest_framework.routers import DynamicRoute, Route, SimpleRouter


class OneOfStudy(SimpleRouter):
    """`retrieve` and `update` at an address without a number, and actions below it."""

    routes = [
        Route(
            url="{prefix}/",
            mapping={"get": "retrieve", "put": "update"},
            name="{basename}",
            detail=False,
            initkwargs={},
        ),
        DynamicRoute(
            url="{prefix}/{url_path}/",
            name="{basename}-{url_name}",
            detail=False,
            initkwargs={},
        ),
    ]
