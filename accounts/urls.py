"""The addresses of accounts; part of the desk's."""

from django.urls import path

from accounts.views import account, company, factors, invitation, operator, passwords, sign_in

urlpatterns = [
    path("sign-in/", sign_in.SignIn.as_view(), name="sign-in"),
    path("sign-in/second-step/", sign_in.second_step, name="second-step"),
    path("sign-in/passkey/", sign_in.passkey, name="passkey"),
    path("sign-in/passkey/question/", sign_in.passkey_question, name="passkey-question"),
    path("sign-in/company/", company.company, name="company"),
    path("sign-in/company/back/", company.company_back, name="company-back"),
    path("sign-up/", invitation.sign_up, name="sign-up"),
    path("invitation/<str:token>/", invitation.invitation, name="invitation"),
    path("password/", passwords.ChangePassword.as_view(), name="password"),
    path("forgotten-password/", passwords.forgotten, name="forgotten-password"),
    path(
        "new-password/<str:uidb64>/<str:token>/",
        passwords.NewPassword.as_view(),
        name="new-password",
    ),
    path("account/", account.own_account, name="account"),
    path("account/profile/", account.profile, name="profile"),
    path("account/address/<str:key>/", account.confirm_mail, name="confirm-address"),
    path("account/confirm/", account.confirm_page, name="confirm"),
    path("account/second-factor/", factors.second_factor, name="second-factor"),
    path("account/passkeys/", factors.passkeys, name="passkeys"),
    path("account/recovery-codes/", factors.recovery_codes, name="recovery-codes"),
    path("account/factors/<int:factor_id>/remove/", factors.remove, name="remove-factor"),
    path("account/company/<slug:proof>/", company.company_connect, name="company-connect"),
    path("account/company/", company.company_disconnect, name="company-disconnect"),
    path("account/sessions/end/", account.end_others, name="end-sessions"),
    path("account/sessions/<slug:number>/end/", account.end_one, name="end-session"),
    path("account/data.json", account.own_data_file, name="own-data"),
    path("account/erase/", account.erase, name="erase-account"),
    path("accounts/", operator.accounts, name="accounts"),
    path(
        "accounts/invitations/<int:invitation_id>/end/",
        operator.end_newcomer,
        name="end-newcomer",
    ),
    path("accounts/<int:user_id>/", operator.one_account, name="one-account"),
    path("accounts/<int:user_id>/active/", operator.activate, name="activate-account"),
    path("accounts/<int:user_id>/studies/", operator.permit, name="permit-studies"),
    path("accounts/<int:user_id>/reset-link/", operator.reset_link, name="reset-link"),
    path("accounts/<int:user_id>/factors/", operator.drop_factors, name="drop-factors"),
    path("accounts/<int:user_id>/erase/", operator.erase_other, name="erase-other"),
]
