/* Keys of a case: Alt and a digit begin with that answer, Alt+S passes on to another case, Alt+R
   shows who answered. Each presses a button that is on the page and works without this script. */
"use strict";

(() => {
  const start = () => {
    const form = document.querySelector("form.question");
    if (!form) return;
    document.addEventListener("keydown", (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
      const key = event.code.replace(/^(Digit|Numpad|Key)/, "");
      const button = form.querySelector(`button[data-alt-key="${CSS.escape(key)}"]`);
      if (!button) return;
      event.preventDefault();
      form.requestSubmit(button);
    });
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
