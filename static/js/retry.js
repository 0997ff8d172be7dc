/* Sends the form again, or loads the page again, as soon as the server answers. Without this script
   a button does it. */
"use strict";

(() => {
  const again = document.querySelector("[data-retry]");
  if (!again) return;
  const pause = 1000 * Number(again.dataset.retry);

  // A page that cannot be loaded would take the place of this one, and of what was typed with it.
  const isThere = async () => {
    try {
      return (await fetch("/healthz", { cache: "no-store" })).ok;
    } catch {
      return false;
    }
  };

  const retry = async () => {
    if (!(await isThere())) window.setTimeout(retry, pause);
    else if (again instanceof HTMLFormElement) again.submit();
    else window.location.replace(again.href);
  };
  window.setTimeout(retry, pause);
})();
