/* The parts of a question: a claim, a criterion, a sentence, an error, each with a name, its text,
   the groups of fields that are answered at once, and its state. Where a question has many of them
   and the study leaves it open, one stands in focus and the others are a list (parts_list.js).
   Keys, the list, pads and what was refused all ask here; without this script all parts stand on
   one page. The fields and what they post are the same either way. */
"use strict";

(() => {
  const RADIO = "input[type=radio]";
  const GROUPS = `${RADIO}, .sentences, .scale-field, .rank-group, .claim-order`;
  const FROM = 4; // parts, from which on one stands in focus ...
  const FROM_ON_PHONES = 3; // ... and where a screen holds less
  const PAUSE = 300; // milliseconds
  const NARROW = window.matchMedia("(max-width: 63.99rem)");
  const WRONG = ".field__error:not(.is-past), [aria-invalid=true]";

  const groupsIn = (place) => {
    const groups = new Map();
    for (const element of place.querySelectorAll(GROUPS)) {
      const isRadio = element.matches(RADIO);
      const key = isRadio ? element.name : element;
      if (!groups.has(key)) {
        groups.set(key, { place: isRadio ? element.closest("fieldset") : element, fields: [] });
      }
      const inputs = isRadio ? [element] : element.querySelectorAll("input[name], select[name]");
      groups.get(key).fields.push(...inputs);
    }
    return [...groups.values()];
  };

  const isAnswered = ({ place, fields }) => {
    // Who is ordered may depend on other answers: those who are not are hidden.
    if (place.matches(".is-waiting")) return false;
    const asked = fields.filter((field) => !field.closest("li[hidden]"));
    if (place.matches(".rank-group, .claim-order")) return asked.every((field) => field.value);
    if (place.matches(".scale-field")) return fields[0].value !== "";
    return fields.some((field) => field.checked);
  };

  /* A part may itself be such a group: then it holds the fields, not another element of its kind. */
  const groupsOf = (part) => groupsIn(part.matches(GROUPS) ? part.parentElement : part)
    .filter(({ place }) => part.contains(place));

  const isWhole = (part) => groupsOf(part).every(isAnswered);

  /* Of formulas the letters alone say something else; a language, and the key that is drawn on an
     answer, are none of the words. */
  const wordsIn = (element) => {
    const words = element.cloneNode(true);
    for (const formula of words.querySelectorAll("math")) formula.replaceWith("…");
    for (const sign of words.querySelectorAll(".written__language, .key-cap")) sign.remove();
    return words.textContent.replace(/\s+/g, " ").trim();
  };

  const wordOf = (group) => {
    const chosen = group.fields.find((field) => field.checked);
    if (chosen) return wordsIn(chosen.closest("label"));
    return isAnswered(group) ? (group.place.matches(".scale-field") && group.fields[0].value) || "✓" : "";
  };

  const make = (form) => {
    const answer = form.querySelector(".question__answer");
    const parts = [...answer.querySelectorAll("[data-part]")];
    const mayStep = form.dataset.parts === "one" && !answer.disabled;
    let focused = null; // the part in focus, where one stands there alone
    let movedAt = -Infinity; // when an answer brought the part into focus
    let wasWhole = false; // whether it was, when it came into focus or was last changed

    const nameOf = (part) => part.dataset.part;
    const numberOf = (part) => {
      const alike = parts.filter((other) => nameOf(other) === nameOf(part));
      return { number: alike.indexOf(part) + 1, count: alike.length };
    };
    const textOf = (part) => {
      const text = part.querySelector("[data-part-text]");
      return text ? wordsIn(text) : "";
    };
    const wordsOf = (part) => groupsOf(part).map(wordOf).filter(Boolean).join(" · ");

    const holding = (element) => parts.find((part) => part.contains(element)) || null;

    const tell = () => form.dispatchEvent(new CustomEvent("partshown", { detail: focused }));

    /* Brings the part that holds the element into focus; the focus of the page comes along. */
    const show = (element) => {
      const part = element && holding(element);
      if (!focused || !part || part === focused) return Boolean(focused && part);
      const [before, active] = [focused, document.activeElement];
      focused = part;
      movedAt = -Infinity;
      wasWhole = isWhole(part);
      for (const other of parts) other.classList.toggle("is-in-focus", other === part);
      tell();
      if (before.contains(active)) enter(part);
      return true;
    };

    /* To where its answer begins: a pad stands in place of the fields that it fills. */
    const enter = (part) => {
      const field = part.querySelector(".pad button") || part.querySelector("input, select");
      if (field) field.focus({ preventScroll: true });
    };

    const move = (step) => {
      const next = focused && parts[parts.indexOf(focused) + step];
      return Boolean(next) && show(next);
    };

    const nextOpen = () => {
      const here = parts.indexOf(focused);
      return [...parts.slice(here + 1), ...parts.slice(0, here)].find((part) => !isWhole(part));
    };

    /* On to the next open part once this one was filled in. Who comes back to one that was, and
       changes it, goes on after its last group, hence may change all. */
    form.addEventListener("change", ({ target }) => {
      if (!focused || !focused.contains(target) || !target.matches(RADIO)) return;
      const groups = groupsOf(focused);
      const isLast = groups[groups.length - 1].fields.includes(target);
      const goesOn = groups.every(isAnswered) && (!wasWhole || isLast);
      wasWhole = groups.every(isAnswered);
      const next = goesOn && nextOpen();
      if (!next) return;
      show(next);
      movedAt = performance.now();
    });

    // The next part stands where the last one did: the second click of a double one is not for it.
    answer.addEventListener(
      "click",
      (event) => {
        if (!event.isTrusted || !event.detail || performance.now() - movedAt > PAUSE) return;
        if (!focused || !focused.contains(event.target)) return;
        event.preventDefault();
        event.stopPropagation();
      },
      true,
    );

    const begin = () => {
      const named = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
      return (
        parts.find((part) => part.querySelector(WRONG)) ||
        (named && holding(named)) ||
        parts.find((part) => !isWhole(part)) ||
        parts[0]
      );
    };

    const arrange = () => {
      const steps = mayStep && parts.length >= (NARROW.matches ? FROM_ON_PHONES : FROM);
      if (steps === Boolean(focused)) return;
      focused = steps ? begin() : null;
      if (focused) wasWhole = isWhole(focused);
      form.classList.toggle("in-parts", steps);
      for (const part of parts) part.classList.toggle("is-in-focus", part === focused);
      tell();
    };
    NARROW.addEventListener("change", arrange);

    form.addEventListener("click", ({ target }) => {
      const link = target instanceof Element && target.closest(".refused a[href^='#']");
      if (link) show(document.getElementById(link.hash.slice(1)));
    });

    return {
      parts,
      nameOf,
      numberOf,
      textOf,
      wordsOf,
      isWhole,
      isAnswered,
      show,
      move,
      enter,
      nextOpen,
      arrange,
      inFocus: () => focused,
      /* The groups that keys go to: those of the part in focus, or of the whole question. */
      groups: () => (focused ? groupsOf(focused) : groupsIn(answer)),
      groupsOf,
    };
  };

  const made = new WeakMap();
  window.partsOf = (form) => {
    if (!made.has(form)) made.set(form, make(form));
    return made.get(form);
  };
})();
