"""Whatever a researcher changes is in the change log, or is on this list with a reason."""

import pytest

from tests.desk.monitoring.audit.routes import reaches_log, routes_that_post

# Routes that change nothing that anybody else sees. Who signed in when is nobody's business.
NOT_LOGGED = {
    "desk:cancel-import": "an import of one person's own; making the study is logged",
    "desk:import-again": "as above",
    "desk:cancel-background": "nothing has changed yet; what a background job does is logged",
    "desk:background-again": "what a background job does is logged",
    "desk:rounds-cost": "a forecast; nothing is stored",
    "desk:texts-preview": "a preview; nothing is stored",
    "desk:questions-preview": "as above",
    "desk:name-members": "what a researcher calls members; the log keeps no names of people",
    "desk:try-out": "makes a copy in which nothing counts, and which is removed at night",
    "desk:next-case": "a case is handed to the person who asks; the decision is logged",
    "desk:save-case": "a draft of one person's own; the decision is logged",
    "desk:decide-again": "opens a case; its gold changes with the decision, which is logged",
    "desk:propose-unit-action": "a preview; carrying it out is logged",
    "desk:save-view": "a way to look at the units, which stay as they are",
    "desk:remove-view": "as above",
    "desk:alert-subscription": "how one member hears of alerts is their own business",
    "desk:test-message": "sends a message, changes nothing",
    "desk:test-webhook": "as above",
    "desk:download-typed": "gives back what was posted, stores nothing",
    "desk:second-step": "signing in",
    "desk:passkey": "signing in",
    "desk:passkey-question": "signing in",
    "desk:confirm": "shows again who signed in; what is done afterwards is logged",
    "desk:end-session": "signing out on another device",
    "desk:end-sessions": "as above",
    "desk:forgotten-password": "mails a link; setting the new password is logged",
}
ROUTES = routes_that_post()


def test_the_routes_are_found() -> None:
    assert {"desk:open", "desk:edit-study", "judges:start", "results:share"} <= ROUTES.keys()
    assert "desk:study" not in ROUTES


@pytest.mark.parametrize("name", sorted(ROUTES.keys() - NOT_LOGGED.keys()))
def test_what_a_route_changes_is_logged(name: str) -> None:
    assert reaches_log(ROUTES[name]), (
        f"{name}: call log_change in the verb that changes something, or say in NOT_LOGGED why "
        "there is nothing to log"
    )


@pytest.mark.parametrize("name", sorted(NOT_LOGGED))
def test_the_list_of_exceptions_is_needed(name: str) -> None:
    assert name in ROUTES
    assert not reaches_log(ROUTES[name])
