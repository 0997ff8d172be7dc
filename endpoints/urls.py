"""The addresses of the page *Models*; part of the desk's."""

from django.urls import path

from endpoints import views

urlpatterns = [
    path("models/", views.models, name="models"),
    path("models/<int:endpoint_id>/", views.endpoint, name="model-endpoint"),
    path("models/<int:endpoint_id>/test/", views.test, name="test-endpoint"),
    path("models/<int:endpoint_id>/remove/", views.remove, name="remove-endpoint"),
    path("models/<int:endpoint_id>/prices/", views.price, name="set-price"),
    path(
        "models/<int:endpoint_id>/prices/<int:price_id>/remove/", views.unprice, name="remove-price"
    ),
]
