/* Shows that a pressed button is at work until the answer comes, and lets it send once. One that
   gets no answer can be pressed again, and says so: nothing is done twice by that. Pages whose form
   is saved as it is answered send that form by themselves. */
"use strict";

(() => {
  const LATE = 150; // milliseconds: a page that comes at once needs no sign
  const PATIENCE = 15000;
  const { unanswered } = document.currentScript.dataset;
  let waiting = 0;

  const say = (button, words) => {
    let line = button.nextElementSibling;
    if (!line || !line.matches(".unanswered")) {
      if (!words) return;
      line = document.createElement("span");
      line.className = "unanswered small";
      line.setAttribute("role", "status");
      button.after(line);
    }
    line.textContent = words;
  };

  const giveBack = (form, button) => {
    delete form.dataset.sent;
    if (!button) return;
    button.classList.remove("is-busy");
    say(button, unanswered);
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    if (event.defaultPrevented || form.method !== "post" || form.matches("[data-autosave]")) return;
    if (form.dataset.sent === "yes") {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    waiting = window.setTimeout(() => giveBack(form, button), PATIENCE);
    if (!button) return;
    say(button, "");
    window.setTimeout(() => button.classList.add("is-busy"), LATE);
  });

  // Buttons whose request changes a part of the page.
  const isButton = (element) => element.matches("button[hx-post]");

  document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
    if (!isButton(elt)) return;
    elt.classList.add("is-busy");
    say(elt, "");
  });

  document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
    if (!isButton(elt)) return;
    elt.classList.remove("is-busy");
    if (xhr.status === 0 || xhr.status >= 500) say(elt, unanswered);
  });

  // Also when the page comes back from the browser's memory.
  window.addEventListener("pageshow", () => {
    window.clearTimeout(waiting);
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
    for (const button of document.querySelectorAll(".is-busy")) button.classList.remove("is-busy");
  });
})();
