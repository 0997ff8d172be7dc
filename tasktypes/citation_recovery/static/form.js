/* Citation recovery: "no sentence can" and the sentences exclude each other; keys in the list.
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

  // Keys count only while the focus is in the list: elsewhere they belong to the page.
  document.addEventListener("keydown", (event) => {
    const list = listOf(event.target);
    if (!list || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (!event.target.matches("input[type=checkbox]")) return;
    const boxes = boxesOf(list).filter((box) => !box.matches(":disabled"));
    const here = boxes.indexOf(event.target);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = boxes[here + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) next.focus();
      event.preventDefault();
      return;
    }
    const chosen = boxes.find((box) => box.dataset.key === event.key);
    if (chosen) {
      chosen.focus();
      chosen.click();
      event.preventDefault();
    }
  });
})();
