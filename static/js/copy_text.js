/* Shows the buttons that copy the text which they name. Without this script the text is selected
   and copied by hand. */
"use strict";

(() => {
  const select = (source) => {
    const range = document.createRange();
    range.selectNodeContents(source);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };

  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copies);
    try {
      await navigator.clipboard.writeText(source.textContent);
    } catch {
      select(source);
      if (!document.execCommand("copy")) return;
    }
    button.querySelector("[data-said]").textContent = button.dataset.copied;
  };

  const offer = () => {
    for (const button of document.querySelectorAll("[data-copies]")) {
      button.hidden = false;
      button.addEventListener("click", () => copy(button));
    }
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", offer);
  else offer();
})();
