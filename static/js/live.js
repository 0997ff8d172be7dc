/* Asks for newer figures every ten seconds while somebody looks at the page: not in a hidden tab,
   and not while the keyboard is in what would be replaced. Without it the page has a link. */
"use strict";

(() => {
  const EVERY = 10000;

  const look = () => {
    if (document.visibilityState !== "visible") return;
    for (const part of document.querySelectorAll("[data-live]")) {
      if (!part.contains(document.activeElement)) window.htmx.trigger(part, "look");
    }
  };

  // What a reader has folded or opened stays so.
  const folds = () =>
    [...document.querySelectorAll("[data-live] details")].map((details) => details.open);
  let kept = [];
  document.addEventListener("htmx:beforeSwap", () => {
    kept = folds();
  });
  document.addEventListener("htmx:afterSwap", () => {
    document.querySelectorAll("[data-live] details").forEach((details, at) => {
      if (at < kept.length) details.open = kept[at];
    });
  });

  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
})();
