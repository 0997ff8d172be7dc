/* The evidence beside the question, or in the strip above it: open where there is room, scrolled to
   the passage that is asked about or that a marker cites. Without this script it unfolds in place. */
"use strict";

(() => {
  const WIDE = window.matchMedia("(min-width: 64rem) and (min-height: 30rem)");
  const LOW = window.matchMedia("(max-height: 29.99rem)");

  const start = (form) => {
    const folds = [...form.querySelectorAll(".reading details.evidence")];
    const [keyed] = folds.filter((fold) => fold.querySelector(".passage")).concat(folds);
    if (keyed) keyed.classList.add("is-keyed");

    // What stays in view above the bar leaves room for it, however many lines it has: from the start,
    // or else the strip is measured, and the passage asked about centered, with another height.
    const bar = form.querySelector(".bar");
    if (bar) {
      const leaveRoom = () => {
        document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
      };
      leaveRoom();
      new ResizeObserver(leaveRoom).observe(bar);
      new IntersectionObserver(([{ isIntersecting }]) => {
        bar.classList.toggle("bar--away", !isIntersecting);
      }).observe(bar);
    }

    const strip = window.stripOf(form);
    const isStrip = () => Boolean(strip && strip.isOn());

    /* A case has the answers beside the question: there the evidence is open above what is judged. */
    const inPlace = form.classList.contains("case");

    const boxOf = (fold) => fold.querySelector(":scope > :not(summary)");

    /* Within the nearest box that scrolls: the page itself stays. */
    const center = (passage) => {
      let box = passage.parentElement;
      while (box && box !== form && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
      if (!box || box === form) return;
      const [outer, inner] = [box.getBoundingClientRect(), passage.getBoundingClientRect()];
      box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
    };

    const arrange = () => {
      for (const fold of folds) {
        if (isStrip()) fold.open = true;
        else if (fold.dataset.chosen !== "yes") fold.open = inPlace || WIDE.matches || (LOW.matches && fold.open);
      }
    };

    const showAsked = (fold) => {
      const asked = fold.querySelector(".is-shown") || fold.querySelector(".passage--asked");
      if (asked) center(asked);
    };

    for (const fold of folds) {
      fold.addEventListener("toggle", () => {
        if (!fold.open) return;
        showAsked(fold);
        if (document.activeElement === fold.querySelector("summary")) boxOf(fold).focus({ preventScroll: true });
      });
      fold.querySelector("summary").addEventListener("click", () => {
        fold.dataset.chosen = "yes";
      });
    }

    const unmark = () => {
      for (const shown of form.querySelectorAll(".passage.is-shown")) shown.classList.remove("is-shown");
    };

    form.addEventListener("click", (event) => {
      const marker = event.target instanceof Element ? event.target.closest(".cites") : null;
      if (!marker) return;
      event.preventDefault(); // the sentence around it is not chosen by this
      unmark();
      const passages = marker.dataset.passages
        .split(" ")
        .map((index) => form.querySelector(`.passage[data-passage="${index}"]`))
        .filter(Boolean);
      if (!passages.length) return;
      for (const passage of passages) passage.classList.add("is-shown");
      const fold = passages[0].closest("details");
      if (isStrip()) strip.show(fold);
      if (fold.open) center(passages[0]);
      else fold.open = true;
    });

    /* A tap on a letter shows its text: in its column, or in the strip. */
    form.addEventListener("peek", (event) => {
      const text = form.querySelector(`.candidate[data-letter="${CSS.escape(event.detail)}"]`);
      if (!text) return;
      for (const shown of form.querySelectorAll(".candidate.is-shown")) shown.classList.remove("is-shown");
      if (isStrip() && strip.show(text)) return;
      text.classList.add("is-shown");
      if (WIDE.matches) center(text);
      else text.scrollIntoView({ block: "nearest" });
    });

    /* To the evidence, and with the same key back to where the focus was. */
    let left = null;
    const leave = (fold) => {
      if (isStrip()) {
        strip.close();
        strip.show(form.querySelector("[data-pane]"));
      }
      if (left && left !== document.body) left.focus({ preventScroll: true });
      else document.activeElement.blur();
    };

    form.addEventListener("evidencekey", (event) => {
      const here = folds.find((fold) => fold.contains(document.activeElement));
      if (!keyed) return;
      event.preventDefault();
      if (here) {
        leave(here);
        return;
      }
      left = document.activeElement;
      keyed.open = true;
      if (isStrip()) {
        strip.open();
        strip.show(keyed);
      }
      unmark();
      showAsked(keyed);
      boxOf(keyed).focus({ preventScroll: true });
    });

    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && isStrip()) strip.close();
    });

    WIDE.addEventListener("change", arrange);
    arrange();
    for (const fold of folds) if (fold.open) showAsked(fold);
  };

  const startAll = () => document.querySelectorAll(".question").forEach(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startAll);
  else startAll();
})();
