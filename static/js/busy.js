/* Shows that a pressed button is at work until the next page comes, and lets it send once. Pages
   whose form is saved as it is answered do this by themselves. */
"use strict";

(() => {
  const LATE = 150; // milliseconds: a page that comes at once needs no sign

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    if (event.defaultPrevented || form.method !== "post" || form.matches("[data-autosave]")) return;
    if (form.dataset.sent === "yes") {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    if (button) window.setTimeout(() => button.classList.add("is-busy"), LATE);
  });

  // Also when the page comes back from the browser's memory.
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
    for (const button of document.querySelectorAll(".is-busy")) button.classList.remove("is-busy");
  });
})();
