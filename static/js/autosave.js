/* Saves the form a moment after each change and says so, sends it when a button is pressed, and
   keeps the page and what was typed while the server cannot be reached. Without this script the
   buttons save; nothing here is needed for an answer to arrive. */
"use strict";

(() => {
  const WAIT = 400;
  const FIRST_PAUSE = 1000;
  const LONGEST_PAUSE = 5000;
  // Answers of the server that another try may change.
  const isFault = (status) => status === 0 || status === 429 || status >= 500;
  // Fields that are the page's own, not the worker's.
  const OWN = ["csrfmiddlewaretoken", "revision", "active_seconds"];

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

    const show = () => {
      saved.classList.toggle("save-state--saving", (unsaved || inFlight) && !failed);
      saved.classList.toggle("save-state--failed", failed);
      form.setAttribute("aria-busy", String(Boolean(pressed)));
      for (const button of form.querySelectorAll(".is-busy")) button.classList.remove("is-busy");
      if (pressed) pressed.classList.add("is-busy");
    };

    const say = (text) => {
      let line = saved.querySelector("span");
      if (!line) {
        line = document.createElement("span");
        saved.append(line);
      }
      line.textContent = text;
    };

    const save = () => {
      window.clearTimeout(timer);
      if (!inFlight) window.htmx.trigger(form, "autosave");
    };

    const later = (milliseconds) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(save, milliseconds);
    };

    const tryAgain = (status) => {
      unsaved = failed = true;
      copy.keep();
      say(status === 403 ? form.dataset.signedOut : form.dataset.failed);
      later(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    };

    // What the server said of a field is not about what it holds now. Its place stays, so that
    // nothing moves; the summary goes once all it lists is mended.
    const mend = (field) => {
      if (!(field instanceof Element)) return;
      const refused = form.querySelector(".refused");
      if (!refused) return;
      for (let place = field; place && place !== form; place = place.parentElement) {
        const link = place.id && refused.querySelector(`a[href="#${CSS.escape(place.id)}"]`);
        if (link) link.closest("li").remove();
        for (const name of [...place.classList]) {
          if (name.endsWith("--invalid")) place.classList.remove(name);
        }
        for (const error of place.querySelectorAll(":scope > .field__error, :scope > .message--bad:not(.refused)")) {
          error.classList.add("is-past");
        }
        place.removeAttribute("aria-invalid");
        if (place.matches("fieldset")) break;
      }
      if (!refused.querySelector("li")) refused.classList.add("is-past");
    };

    const changed = (event) => {
      unsaved = true;
      mend(event.target);
      copy.keep();
      show();
      later(WAIT);
    };

    form.addEventListener("input", changed);
    form.addEventListener("change", changed);

    // Only the form's own request; the button for more time is a request inside it.
    const isOurs = (event) => event.detail.elt === form;

    form.addEventListener("htmx:beforeRequest", (event) => {
      if (!isOurs(event)) return;
      inFlight = true;
      unsaved = false;
      show();
    });

    form.addEventListener("htmx:afterRequest", (event) => {
      if (!isOurs(event)) return;
      inFlight = false;
      const status = event.detail.xhr.status;
      if (event.detail.successful) {
        failed = false;
        pause = FIRST_PAUSE;
        if (!unsaved) copy.erase();
      } else if (status !== 409 && status !== 422) {
        tryAgain(status);
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
      const body = new URLSearchParams(new FormData(form));
      if (button && button.name) body.append(button.name, button.value);
      let response = null;
      try {
        response = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
      } catch {
        // The server cannot be reached.
      }
      inFlight = false;
      const status = response ? response.status : 0;
      if (isFault(status)) {
        tryAgain(status);
        show();
        return;
      }
      leaving = true;
      const address = response.headers.get("HX-Redirect");
      if (address) {
        copy.erase();
        window.location.assign(address);
      } else {
        // A page that says what is wrong: the browser itself asks for it and shows it.
        if (status === 409 || status === 422) copy.erase();
        form.requestSubmit(button);
      }
    };

    // A save under way would make the page's revision stale: let it end first. A second click
    // sends nothing.
    form.addEventListener("submit", (event) => {
      if (leaving) return;
      event.preventDefault();
      if (pressed) return;
      pressed = event.submitter;
      show();
      if (!inFlight) send(pressed);
    });

    window.addEventListener("online", () => {
      if (unsaved) save();
    });

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
        const restored = await fetch(new URL("draft/", window.location.href), {
          method: "POST", body, headers: { "HX-Request": "true" },
        }).catch(() => null);
        if (!restored || !restored.ok) return;
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
