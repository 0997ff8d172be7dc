/* Makes and uses passkeys. A form with data-passkey="create" or "get" asks the browser for one and
   sends its answer; what the browser is asked stands in data-options, or is fetched from
   data-question. Without this script passwords and codes sign in. */
"use strict";

(() => {
  const toBytes = (text) => {
    const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };
  const toText = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replace(/\+/g, "-")
      .replace(/\//g, "_")
      .replace(/=+$/, "");

  const withBytes = (options) => {
    const asked = { ...options, challenge: toBytes(options.challenge) };
    if (asked.user) asked.user = { ...asked.user, id: toBytes(asked.user.id) };
    for (const list of ["allowCredentials", "excludeCredentials"])
      if (asked[list]) asked[list] = asked[list].map((key) => ({ ...key, id: toBytes(key.id) }));
    return asked;
  };

  const asText = (credential) => {
    const response = {};
    for (const name of [
      "clientDataJSON",
      "attestationObject",
      "authenticatorData",
      "signature",
      "userHandle",
    ])
      if (credential.response[name]) response[name] = toText(credential.response[name]);
    return JSON.stringify({
      id: credential.id,
      rawId: toText(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment,
      clientExtensionResults: credential.getClientExtensionResults(),
      response,
    });
  };

  const question = async (form) => {
    if (form.dataset.options) return JSON.parse(form.dataset.options).publicKey;
    const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
    const headers = { "X-CSRFToken": token };
    const answer = await fetch(form.dataset.question, { method: "POST", headers });
    return (await answer.json()).publicKey;
  };

  const ask = async (event) => {
    const form = event.currentTarget;
    const field = form.querySelector("[name=credential]");
    const problem = form.querySelector("[data-failed]");
    event.preventDefault();
    problem.textContent = "";
    try {
      const publicKey = withBytes(await question(form));
      field.value = asText(await navigator.credentials[form.dataset.passkey]({ publicKey }));
    } catch {
      problem.textContent = problem.dataset.failed;
      return;
    }
    form.submit();
  };

  const prepare = () => {
    for (const form of document.querySelectorAll("[data-passkey]")) {
      const problem = form.querySelector("[data-failed]");
      if (window.PublicKeyCredential) {
        form.hidden = false;
        form.addEventListener("submit", ask);
      } else if (problem.dataset.missing) {
        problem.textContent = problem.dataset.missing;
        form.querySelector("button").disabled = true;
      }
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", prepare);
  else prepare();
})();
