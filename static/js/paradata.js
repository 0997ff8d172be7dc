/* Counts, for the form to post, what is done at the question: how often, never which key was
   pressed or what was written. Only in studies that ask for it and say so before consent.
   Without this script nothing is recorded, which is not the same as 0. */
"use strict";

(() => {
  const PAUSE = 2000; // keystrokes further apart belong to two bursts

  const count = (field) => {
    const form = field.form;
    let [pastes, blurs, keystrokes, edits, bursts] = field.dataset.soFar.split(" ").map(Number);
    let pressed = -Infinity;
    let away = false;
    const chosen = new Set(); // names of the fields in which something was chosen on this page

    const keep = () => {
      field.value = [pastes, blurs, keystrokes, edits, bursts].join(" ");
    };
    const on = (target, name, act) => {
      target.addEventListener(name, (event) => {
        act(event);
        keep();
      }, { capture: true, passive: true });
    };

    const leave = () => {
      if (!away) blurs += 1; // a tab that is left tells so twice
      away = true;
    };
    // The window's own, not those of the fields in it.
    on(window, "blur", (event) => {
      if (event.target === window) leave();
    });
    on(window, "focus", (event) => {
      if (event.target === window) away = false;
    });
    on(document, "visibilitychange", () => {
      if (document.visibilityState === "hidden") leave();
      else away = false;
    });

    on(form, "paste", () => {
      pastes += 1;
    });
    on(form, "drop", () => {
      pastes += 1;
    });
    on(form, "keydown", (event) => {
      if (event.repeat) return;
      const now = performance.now();
      if (now - pressed > PAUSE) bursts += 1;
      pressed = now;
      keystrokes += 1;
    });
    on(form, "input", (event) => {
      if ((event.inputType || "").startsWith("delete")) edits += 1;
    });
    on(form, "change", (event) => {
      const { name, type } = event.target;
      if (type === "checkbox" ? !event.target.checked : type !== "textarea" && chosen.has(name)) edits += 1;
      chosen.add(name);
    });
    keep();
  };

  const start = () => document.querySelectorAll("input[name=paradata]").forEach(count);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
