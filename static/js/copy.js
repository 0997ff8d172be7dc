/* Shows the button that copies the personal link beside it. Without this script the link stands in
   a field, to be copied by hand; the same where a frame may not write to the clipboard. */
"use strict";

(() => {
  const copy = async (button) => {
    const field = button.parentElement.querySelector("input");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      if (!document.execCommand("copy")) return;
    }
    button.textContent = button.dataset.copy;
  };

  const offer = () => {
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.hidden = false;
      button.addEventListener("click", () => copy(button));
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", offer);
  else offer();
})();
