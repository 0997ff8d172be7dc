/* On a narrow page the tabs scroll: brings the one that is open into view. */
"use strict";

(() => {
  const show = () => {
    for (const open of document.querySelectorAll(".study-tabs [aria-current], .facets__list [aria-current]")) {
      const list = open.closest("ul");
      list.scrollLeft = open.offsetLeft - (list.clientWidth - open.offsetWidth) / 2;
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
  else show();
})();
