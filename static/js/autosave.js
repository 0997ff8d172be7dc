/* Saves the form a moment after each change and says so, sends it when a button is pressed, and
   keeps the page and what was typed while the server cannot be reached. Without this script the
   buttons save; nothing here is needed for an answer to arrive. */
"use strict";

(() => {
  const WAIT = 400;
  const FIRST_PAUSE = 1000;
  const LONGEST_PAUSE = 5000;
  const PATIENCE = 15000;
  const TOKEN = "csrfmiddlewaretoken";
  // Answers of the server that another try may change.
  const isFault = (status) => status === 0 || status === 429 || status >= 500;
  // Fields that are the page's own, not the worker's.
  const OWN = [TOKEN, "revision", "extensions", "active_seconds", "paradata"];

  /* The status and the headers of an answer; a status of 0 where none came in time. */
  const post = async (address, body, stop) => {
    const timer = window.setTimeout(() => stop.abort(), PATIENCE);
    try {
      const headers = { "HX-Request": "true" };
      return await fetch(address, { method: "POST", body, headers, signal: stop.signal });
    } catch {
      return { status: 0, headers: new Headers() }; // The server cannot be reached.
    } finally {
      window.clearTimeout(timer);
    }
  };

  /* The token of a form belongs to a cookie. Where that was lost, the server sends another one. */
  const takeToken = (token) => {
    document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
    for (const field of document.getElementsByName(TOKEN)) field.value = token;
  };

  /* A copy of what was typed in this browser, kept only while the server does not have it. */
  const copyOf = (form) => {
    const key = `jurybox ${window.location.pathname}`;
    const typed = () =>
      JSON.stringify([...new FormData(form)].filter(([name]) => !OWN.includes(name)));
    const inStorage = (use) => {
      try {
        return use(window.localStorage);
      } catch {
        return null; // This browser keeps nothing, or not within a frame.
      }
    };
    return {
      typed,
      keep: () => inStorage((storage) => storage.setItem(key, typed())),
      erase: () => inStorage((storage) => storage.removeItem(key)),
      read: () => inStorage((storage) => storage.getItem(key)),
    };
  };

  const watch = (form) => {
    const saved = form.querySelector("#saved");
    const copy = copyOf(form);
    let timer = 0;
    let pause = FIRST_PAUSE;
    let unsaved = false; // changed since the last request for saving began
    let inFlight = false;
    let failed = false;
    let pressed = null; // the button whose work waits for the answer to be saved
    let leaving = false;
    let sent = null; // what was sent last, as long as nobody knows whether it was stored
    let renewed = false; // whether it was sent again with another token
    let stop = new AbortController(); // of the request that a button sent

    const show = () => {
      saved.classList.toggle("save-state--saving", (unsaved || inFlight) && !failed);
      saved.classList.toggle("save-state--failed", failed);
      form.setAttribute("aria-busy", String(Boolean(pressed)));
      for (const button of form.querySelectorAll(".is-busy")) button.classList.remove("is-busy");
      if (pressed) pressed.classList.add("is-busy");
    };

    // The same words twice would be read out twice.
    const say = (...words) => {
      let line = saved.querySelector("span");
      if (!line) {
        line = document.createElement("span");
        saved.append(line);
      }
      const said = document.createElement("span");
      said.append(...words);
      if (line.innerHTML !== said.innerHTML) line.replaceChildren(...said.childNodes);
    };

    const save = () => {
      window.clearTimeout(timer);
      if (!inFlight) window.htmx.trigger(form, "autosave");
    };

    const later = (milliseconds) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(save, milliseconds);
    };

    /* The way back is at the foot of the page, where it is shown at all. */
    const saySignedOut = () => {
      const way = document.querySelector(".personal-link");
      if (!way) {
        say(form.dataset.signedOutAway || form.dataset.signedOut);
        return;
      }
      const link = document.createElement("a");
      link.href = way.querySelector("input").value;
      link.target = "_blank";
      link.textContent = way.querySelector("summary").textContent;
      say(form.dataset.signedOut, " ", link);
    };

    const tryAgain = (isSignedOut) => {
      unsaved = failed = true;
      copy.keep();
      if (isSignedOut) saySignedOut();
      else say(form.dataset.failed);
      later(pause);
      pause = Math.min(Math.max(2 * pause, FIRST_PAUSE), LONGEST_PAUSE);
    };

    /* Whether the same is to be sent again with the token that came: at once, and once. */
    const renew = (token) => {
      const again = Boolean(token) && !renewed;
      renewed = Boolean(token);
      if (token) takeToken(token);
      return again;
    };

    const changed = () => {
      unsaved = true;
      copy.keep();
      show();
      later(WAIT);
    };

    form.addEventListener("input", changed);
    form.addEventListener("change", changed);

    // What saves the answer, with or without a report; the button for more time does not.
    const ours = form.getAttribute("hx-post");
    const isOurs = ({ detail }) => (detail.requestConfig || detail).path === ours;

    form.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
      const patience = window.setTimeout(() => xhr.abort(), PATIENCE);
      xhr.addEventListener("loadend", () => window.clearTimeout(patience));
    });

    // What was sent and never answered may have been stored. It is sent again as it was, which
    // changes nothing then and brings the new revision; what was typed since then comes after it.
    form.addEventListener("htmx:configRequest", (event) => {
      if (!isOurs(event)) return;
      sent = sent || { body: event.detail.formData, typed: copy.typed() };
      sent.body.set(TOKEN, form.elements[TOKEN].value);
      event.detail.parameters = sent.body;
    });

    form.addEventListener("htmx:beforeRequest", (event) => {
      if (!isOurs(event)) return;
      inFlight = true;
      unsaved = sent.typed !== copy.typed();
      show();
    });

    form.addEventListener("htmx:afterRequest", (event) => {
      const { xhr, successful } = event.detail;
      const token = xhr.getResponseHeader("X-CSRFToken");
      const again = renew(token);
      if (!isOurs(event)) {
        if (again) event.detail.elt.click();
        return;
      }
      inFlight = false;
      if (!isFault(xhr.status)) sent = null;
      if (successful) {
        failed = false;
        pause = FIRST_PAUSE;
        if (!unsaved) copy.erase();
      } else if (again) {
        unsaved = true;
        later(0);
      } else if (xhr.status !== 409 && xhr.status !== 422) {
        tryAgain(xhr.status === 403 && !token);
      }
      show();
      if (failed) return;
      if (pressed) send(pressed);
      else if (unsaved) later(0);
    });

    /* Sends the form as the button would. While the server cannot be reached, the page stays. */
    const send = async (button) => {
      window.clearTimeout(timer);
      pressed = button;
      inFlight = true;
      show();
      sent = { body: new FormData(form), typed: copy.typed() };
      const body = new URLSearchParams(sent.body);
      if (button && button.name) body.append(button.name, button.value);
      stop = new AbortController();
      const { status, headers } = await post(form.action, body, stop);
      inFlight = false;
      if (!isFault(status)) sent = null;
      if (renew(headers.get("X-CSRFToken"))) {
        send(button);
        return;
      }
      if (isFault(status)) {
        tryAgain(false);
        show();
        return;
      }
      leaving = true;
      const address = headers.get("HX-Redirect");
      if (address) {
        copy.erase();
        window.location.assign(address);
      } else {
        // A page that says what is wrong: the browser itself asks for it and shows it.
        if (status === 409 || status === 422) copy.erase();
        form.requestSubmit(button);
      }
    };

    // A save under way, or of an unknown end, would make the page's revision stale: let it end
    // first. A second click sends nothing.
    form.addEventListener("submit", (event) => {
      if (leaving) return;
      event.preventDefault();
      if (pressed) return;
      pressed = event.submitter;
      show();
      if (inFlight) return;
      if (sent) save();
      else send(pressed);
    });

    const tryAtOnce = () => {
      if (failed && !inFlight) save();
    };

    // What was on its way while there was no line is not waited for.
    window.addEventListener("online", () => {
      pause = 0;
      stop.abort();
      window.htmx.trigger(form, "htmx:abort");
      tryAtOnce();
    });
    // Back from the tab with the personal link.
    window.addEventListener("focus", tryAtOnce);

    // Only a page out of the browser's memory: a new one may be on its way elsewhere already.
    window.addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      leaving = false;
      pressed = null;
      show();
    });

    window.addEventListener("beforeunload", (event) => {
      if (!leaving && (unsaved || inFlight)) event.preventDefault();
    });

    /* Offers what this browser kept and the server never got. */
    const offer = document.getElementById("local-copy");
    const kept = copy.read();
    if (kept === null || kept === copy.typed()) {
      copy.erase();
    } else if (offer) {
      offer.hidden = false;
      offer.querySelector("[data-discard]").addEventListener("click", () => {
        copy.erase();
        offer.hidden = true;
      });
      offer.querySelector("[data-restore]").addEventListener("click", async () => {
        const body = new URLSearchParams(JSON.parse(kept));
        for (const name of OWN) body.append(name, new FormData(form).get(name) || "");
        const restored = await post(
          new URL("draft/", window.location.href), body, new AbortController(),
        );
        if (!restored.ok) return;
        copy.erase();
        leaving = true;
        window.location.reload();
      });
    }
  };

  const start = () => document.querySelectorAll("form[data-autosave]").forEach(watch);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
