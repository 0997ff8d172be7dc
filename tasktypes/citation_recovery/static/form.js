/* Citation recovery: "None of these sentences" and the sentences exclude each other.
   Without this script the server says what contradicts itself. */
"use strict";

(() => {
  const listOf = (element) =>
    element instanceof Element ? element.closest(".citation-recovery .sentences") : null;
  const boxesOf = (list) => Array.from(list.querySelectorAll("input[type=checkbox]"));

  // While capturing, so that whoever saves on a change finds both already settled.
  document.addEventListener(
    "change",
    (event) => {
      const list = listOf(event.target);
      if (!list || !event.target.checked) return;
      const none = event.target.name === "none";
      for (const box of boxesOf(list)) {
        if ((box.name === "none") !== none) box.checked = false;
      }
    },
    true,
  );
})();
