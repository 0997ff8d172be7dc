/* Counts the seconds in which the page is in view and somebody is at it, for the form to post.
   Without this script the time of an answer is not known. */
"use strict";

(() => {
  const IDLE = 60000;
  const TICK = 1000;
  const SIGNS = ["input", "keydown", "pointerdown", "pointermove", "scroll", "wheel", "touchstart", "focusin"];

  const count = (field) => {
    let seconds = Number(field.dataset.soFar) || 0;
    let sign = performance.now();
    let ticked = sign;

    const tick = () => {
      const now = performance.now();
      const here = document.visibilityState === "visible" && now - sign < IDLE;
      // A timer of a page that slept fires late: that time was nobody's.
      if (here) seconds += Math.min(now - ticked, 2 * TICK) / 1000;
      ticked = now;
      field.value = seconds.toFixed(1);
    };

    const noticed = () => {
      tick();
      sign = performance.now();
    };

    for (const name of SIGNS) document.addEventListener(name, noticed, { capture: true, passive: true });
    document.addEventListener("visibilitychange", noticed);
    window.setInterval(tick, TICK);
    tick();
  };

  const start = () => document.querySelectorAll("input[name=active_seconds]").forEach(count);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
