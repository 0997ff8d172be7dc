/* Keeps in the address which tables of a page are unfolded, so that a reload or a link shows them.
   Without this script each is unfolded by hand. */
"use strict";

(() => {
  const named = () => decodeURIComponent(window.location.hash.slice(1)).split(",").filter(Boolean);
  const folds = () => [...document.querySelectorAll("details.fold[id]")];

  const unfold = () => {
    const wanted = named();
    for (const fold of folds()) if (wanted.includes(fold.id)) fold.open = true;
    const first = wanted.length > 1 && document.getElementById(wanted[0]);
    if (first) first.scrollIntoView();
  };

  const keep = () => {
    const open = folds().filter((fold) => fold.open && !fold.hasAttribute("data-first"));
    const hash = open.map((fold) => encodeURIComponent(fold.id)).join(",");
    const { pathname, search } = window.location;
    window.history.replaceState(null, "", hash ? `#${hash}` : pathname + search);
  };

  const start = () => {
    unfold();
    for (const fold of folds()) fold.addEventListener("toggle", keep);
    window.addEventListener("hashchange", unfold);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
