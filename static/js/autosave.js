/* Saves the form a moment after each change, says so, and tries again when it could not.
   Without this script the buttons save; nothing here is needed for an answer to arrive. */
"use strict";

(() => {
  const WAIT = 400;
  const LONGEST_PAUSE = 30000;

  const watch = (form) => {
    const saved = form.querySelector("#saved");
    let timer = 0;
    let pause = 1000;
    let unsaved = false;
    let inFlight = false;
    let submitter = null;
    let leaving = false;

    const say = (text, failed) => {
      let line = saved.querySelector("span");
      if (!line) {
        line = document.createElement("span");
        saved.append(line);
      }
      line.textContent = text;
      saved.classList.toggle("save-state--failed", failed);
    };

    const save = () => {
      window.clearTimeout(timer);
      window.htmx.trigger(form, "autosave");
    };

    const later = (milliseconds) => {
      window.clearTimeout(timer);
      timer = window.setTimeout(save, milliseconds);
    };

    // What the server said of the answer before is not about this one; its place stays.
    const mended = () => {
      for (const alert of form.querySelectorAll("[role=alert]")) alert.classList.add("is-past");
    };

    const changed = () => {
      unsaved = true;
      mended();
      later(WAIT);
    };

    form.addEventListener("input", changed);
    form.addEventListener("change", changed);

    // Only the form's own request; the button for more time is a request inside it.
    const ours = (event) => event.detail.elt === form;

    form.addEventListener("htmx:beforeRequest", (event) => {
      if (!ours(event)) return;
      inFlight = true;
      unsaved = false;
    });

    form.addEventListener("htmx:afterRequest", (event) => {
      if (!ours(event)) return;
      inFlight = false;
      const status = event.detail.xhr.status;
      if (event.detail.successful) {
        pause = 1000;
        saved.classList.remove("save-state--failed");
      } else if (status !== 409 && status !== 422) {
        unsaved = true;
        say(status === 403 ? form.dataset.signedOut : form.dataset.failed, true);
        later(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE);
      }
      if (submitter) {
        const button = submitter;
        submitter = null;
        form.requestSubmit(button);
      }
    });

    // A save under way would make the page's revision stale: let it end first. A second click
    // sends nothing.
    form.addEventListener("submit", (event) => {
      window.clearTimeout(timer);
      if (leaving) {
        event.preventDefault();
      } else if (inFlight) {
        event.preventDefault();
        submitter = event.submitter;
      } else {
        leaving = true;
      }
    });

    window.addEventListener("pageshow", () => {
      leaving = false;
    });

    window.addEventListener("beforeunload", (event) => {
      if (!leaving && (unsaved || inFlight)) event.preventDefault();
    });
  };

  const start = () => document.querySelectorAll("form[data-autosave]").forEach(watch);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
