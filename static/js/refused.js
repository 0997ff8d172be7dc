/* What the server said of a field is not about what it holds now: once it is changed, the words
   fade. Their place stays, so that nothing moves; the summary goes once all it lists is mended. */
"use strict";

(() => {
  const NAMED = 3; // the others are counted

  const name = (refused) => {
    const left = [...refused.querySelectorAll("li")];
    left.forEach((line, index) => {
      line.hidden = index >= NAMED;
    });
    const more = refused.querySelector(".refused__more");
    if (more) {
      more.hidden = left.length <= NAMED;
      more.textContent = more.dataset.more.replace("%1", left.length - NAMED);
    }
    refused.classList.toggle("is-past", !left.length);
  };

  const watch = (form) => {
    const mend = ({ target: field }) => {
      if (!(field instanceof Element)) return;
      const refused = form.querySelector(".refused");
      if (!refused) return;
      for (let place = field; place && place !== form; place = place.parentElement) {
        const link = place.id && refused.querySelector(`a[href="#${CSS.escape(place.id)}"]`);
        if (link) link.closest("li").remove();
        for (const name of [...place.classList]) {
          if (name.endsWith("--invalid")) place.classList.remove(name);
        }
        for (const error of place.querySelectorAll(":scope > .field__error, :scope > .message--bad:not(.refused)")) {
          error.classList.add("is-past");
        }
        place.removeAttribute("aria-invalid");
        if (place.matches("fieldset")) break;
      }
      name(refused);
    };

    form.addEventListener("input", mend);
    form.addEventListener("change", mend);
  };

  const start = () => document.querySelectorAll("form[data-autosave]").forEach(watch);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
