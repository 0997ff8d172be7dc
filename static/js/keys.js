/* Keys for the whole page of a question, whatever kind it is: digits choose, Ctrl+Enter continues,
   Backspace undoes, V shows the evidence, ? lists the keys. A digit whose answer is out of view
   first shows it. Keys of a single sign and Backspace count wherever the focus takes no text, the
   others while no field has it, or a box or button of an answer. Everything can be done without
   keys, and those of a single sign can be switched off. */
"use strict";

(() => {
  const TYPING = 1500; // milliseconds in which digits belong to one number
  const SECOND_DIGIT = 700; // milliseconds that the second digit of a key is waited for
  const EVIDENCE = "v";
  const SIGN = /^(\S|Backspace)$/; // what does nothing on a button, a link or a fold

  const start = (form) => {
    const answer = form.querySelector(".question__answer");
    if (!answer || answer.disabled) return;

    // The steps of an answer are the groups of fields of the part in focus, or of all parts.
    const parts = window.partsOf(form);
    const { isAnswered } = parts;
    const stepsOf = parts.groups;
    const caps = window.keyCaps ? window.keyCaps(form) : { draw: () => {}, cap: () => "" };

    let marked = null;

    const mark = (place) => {
      if (marked) marked.classList.remove("is-current");
      marked = place;
      if (!place) return;
      place.classList.add("is-current");
      place.scrollIntoView({ block: "nearest" });
    };

    const current = (steps) => {
      const inFocus = steps.find((step) => step.fields.includes(document.activeElement));
      return (
        inFocus ||
        steps.find((step) => step.place === marked && !isAnswered(step)) ||
        steps.find((step) => !isAnswered(step)) ||
        steps.find((step) => step.place === marked) ||
        steps[steps.length - 1]
      );
    };

    /* On to the next step without an answer; the focus comes along where it was in a field. */
    const advance = (step) => {
      const steps = stepsOf();
      const here = steps.findIndex((other) => other.place === step.place);
      const rest = [...steps.slice(here + 1), ...steps.slice(0, here)];
      const next = rest.find((other) => !isAnswered(other));
      if (!next) {
        const open = parts.inFocus() && parts.nextOpen();
        if (open) parts.show(open);
        return;
      }
      mark(next.place);
      if (answer.contains(document.activeElement)) next.fields[0].focus();
    };

    // --- What a key is about to choose is seen first ---------------------------------------------

    /* Whether half of it is in the window, and nothing, such as the bar, lies over that. */
    const isSeen = (element) => {
      const box = element.getBoundingClientRect();
      const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, window.innerHeight)];
      if (bottom - top < Math.min(box.height, window.innerHeight) / 2) return false;
      return [0.25, 0.75].every((share) => {
        const y = top + share * (bottom - top);
        return element.contains(document.elementFromPoint(box.left + box.width / 2, y));
      });
    };

    let brought = null; // into view by the key before, which chose nothing

    /* Whether a place is in view. If not, it is brought there, with the focus, so that it is read
       out as well; the next press counts. */
    const isInView = (place, field) => {
      const seen = brought === place || isSeen(place);
      brought = seen ? null : place;
      if (seen) return true;
      // What stays in view above may lie over the middle of a low window.
      for (const block of ["center", "end"]) {
        if (!isSeen(place)) place.scrollIntoView({ block });
      }
      if (field) field.focus({ preventScroll: true });
      return false;
    };

    // --- Undo ----------------------------------------------------------------------------------

    const fieldsOf = () => [...answer.querySelectorAll("input[name], select[name]")];
    const valueOf = (field) => (/^(radio|checkbox)$/.test(field.type) ? field.checked : field.value);
    const snapshot = () => fieldsOf().map((field) => [field, valueOf(field)]);
    const history = [];
    let last = snapshot();

    form.addEventListener("change", () => {
      const now = snapshot();
      const before = new Map(last);
      if (now.every(([field, value]) => before.get(field) === value)) return;
      history.push(last);
      last = now;
    });

    /* The scripts of a kind draw what the fields hold; then it is saved as any change is. */
    const redraw = () => {
      answer.dispatchEvent(new CustomEvent("restored", { bubbles: true }));
      form.dispatchEvent(new Event("change", { bubbles: true }));
    };

    const undo = () => {
      const before = history.pop();
      if (!before) return;
      let place = null;
      for (const [field, value] of before) {
        if (valueOf(field) === value) continue;
        if (typeof value === "boolean") field.checked = value;
        else field.value = value;
        place = field;
      }
      last = snapshot();
      redraw();
      parts.show(place);
      const step = stepsOf().find(({ fields }) => fields.includes(place));
      if (!step) return;
      mark(step.place);
      if (answer.contains(document.activeElement)) place.focus();
    };

    // --- What a key does -----------------------------------------------------------------------

    let typed = "";
    let typedAt = 0;

    const typeNumber = ({ place, fields: [number] }, key) => {
      const now = performance.now();
      typed = now - typedAt < TYPING ? typed + key : key;
      typedAt = now;
      const value = Number(typed);
      if (typed === "." || Number.isNaN(value) || value > Number(number.max)) typed = key;
      if (typed === "." || Number(typed) < Number(number.min)) return;
      number.value = String(Number(typed));
      place.dispatchEvent(new CustomEvent("restored", { bubbles: true }));
      number.dispatchEvent(new Event("change", { bubbles: true }));
    };

    /* What keys choose just now, and where each of them stands: the answers of the current step,
       or the buttons of the pad, which choose two at once. */
    const choices = () => {
      const pad = parts.inFocus() && parts.inFocus().querySelector(".pad");
      if (pad && pad.offsetParent) {
        const buttons = [...pad.querySelectorAll("[data-key]")];
        return buttons.map((button) => ({ key: button.dataset.key, place: button, field: button }));
      }
      const step = current(stepsOf());
      if (!step || step.place.matches(".scale-field")) return [];
      const { fields } = step;
      const at = (field, key) => ({ key, place: field.closest("label"), field, step });
      if (fields[0].type === "checkbox") {
        const keyed = fields.filter((field) => field.dataset.key);
        return keyed.map((field) => at(field, field.dataset.key));
      }
      if (fields[0].type === "radio") {
        const byValue = fields.every((field) => /^\d$/.test(field.value));
        return fields.map((field, number) => at(field, byValue ? field.value : `${number + 1}`));
      }
      const buttons = [...step.place.querySelectorAll("button[data-key]")];
      return buttons.map((button) => ({ key: button.dataset.key, place: button, step }));
    };

    /* Boxes are ticked one by one; radio buttons lead on to the next step. */
    const take = ({ place, field, step }) => {
      if (!isInView(place, field)) {
        if (step && field.type === "radio") mark(step.place);
        return;
      }
      const isTicked = field.type === "checkbox";
      if (isTicked && answer.contains(document.activeElement)) field.focus();
      field.click();
      if (step && !isTicked) advance(step);
    };

    // --- Keys of two digits ----------------------------------------------------------------------

    let begun = "";
    let waiting = 0;

    const settle = () => {
      const key = begun;
      window.clearTimeout(waiting);
      begun = "";
      const found = key && choices().find((choice) => choice.key === key);
      if (found) take(found);
      caps.draw(choices());
      return Boolean(found);
    };

    /* A digit that may be the first of two waits for the second one. */
    const chooseDigit = (digit) => {
      const all = choices();
      const key = begun + digit;
      const found = all.find((choice) => choice.key === key && choice.field);
      if (begun && !found) {
        settle();
        return chooseDigit(digit);
      }
      window.clearTimeout(waiting);
      if (all.some((choice) => choice.key.startsWith(key) && choice.key !== key)) {
        begun = key;
        caps.draw(all, begun);
        waiting = window.setTimeout(settle, SECOND_DIGIT);
        return true;
      }
      begun = "";
      if (found) take(found);
      caps.draw(choices());
      return Boolean(found);
    };

    const choose = (key) => {
      if (/^\d$/.test(key) && choices().some((choice) => choice.field)) return chooseDigit(key);
      const step = current(stepsOf());
      if (!step) return false;
      if (step.place.matches(".scale-field")) {
        if (!/^[0-9.]$/.test(key)) return false;
        if (isInView(step.place)) typeNumber(step, key);
        return true;
      }
      if (/^(checkbox|radio)$/.test(step.fields[0].type)) return false;
      // Ranks and orders have scripts of their own, which say that they knew the key.
      const event = new CustomEvent("answerkey", {
        bubbles: true,
        cancelable: true,
        detail: { key },
      });
      const knew = !step.place.dispatchEvent(event);
      if (knew && stepsOf().some((other) => other.place === step.place && isAnswered(other))) {
        advance(step);
      }
      return knew;
    };

    const enter = (steps, step) => {
      const place = current(steps);
      if (!place) return false;
      const focusable = place.fields.find((field) => field.checked) || place.fields[0];
      const at = step > 0 ? focusable : place.fields[place.fields.length - 1];
      mark(place.place);
      at.focus();
      if (document.activeElement !== at) parts.enter(parts.inFocus());
      return true;
    };

    const moveInPad = (here, step) => {
      const buttons = [...here.parentElement.querySelectorAll("button")];
      const next = buttons[buttons.indexOf(here) + step];
      if (next) next.focus();
      return true;
    };

    /* Between boxes; among radio buttons the browser itself moves. */
    const moveFocus = (step) => {
      const here = document.activeElement;
      if (here.matches(".pad button")) return moveInPad(here, step);
      if (!answer.contains(here)) return enter(stepsOf(), step);
      if (here.type !== "checkbox") return false;
      const boxes = [...answer.querySelectorAll("input[type=checkbox]")];
      const next = boxes[boxes.indexOf(here) + step];
      if (next) next.focus();
      return true;
    };

    // Where so many texts are ranked that one is called V, that key ranks it.
    const isTaken = answer.querySelector(`[data-letter="${EVIDENCE.toUpperCase()}"]`);
    const evidence = () =>
      !isTaken && !form.dispatchEvent(new CustomEvent("evidencekey", { cancelable: true }));
    const summary = answer.querySelector(".evidence.is-keyed > summary");
    if (summary && !isTaken) summary.append(" ", caps.cap(EVIDENCE));

    const draw = () => caps.draw(choices(), begun);
    for (const name of ["partshown", "change", "restored", "focusin"]) {
      form.addEventListener(name, () => window.setTimeout(draw));
    }
    draw();

    const legend = document.getElementById("keys-legend");
    const offer = document.querySelector(".keys-offer");
    const showLegend = () => {
      if (offer) offer.remove();
      if (legend && !legend.open) legend.showModal();
      return Boolean(legend);
    };
    if (offer) offer.addEventListener("click", () => offer.remove());
    const chooser = legend && legend.querySelector("[data-keys-chooser]");
    if (chooser) {
      chooser.addEventListener("change", () => {
        form.dataset.keys = legend.querySelector("[name=keys]:checked").value;
        draw();
      });
    }
    for (const opener of document.querySelectorAll("[data-keys-legend]")) {
      opener.addEventListener("click", showLegend);
    }

    const ACTIONS = {
      "[": () => parts.move(-1),
      "]": () => parts.move(1),
      PageUp: () => parts.move(-1),
      PageDown: () => parts.move(1),
      ArrowDown: () => moveFocus(1),
      ArrowUp: () => moveFocus(-1),
      Backspace: () => {
        undo();
        return true;
      },
      "?": showLegend,
    };

    // --- Which keys are the page's -------------------------------------------------------------

    const isBox = (element) => element.matches("input[type=radio], input[type=checkbox]");
    const isRead = (element) => element.matches(".evidence > [tabindex]");
    const steers = (element) => element.matches(".parts__step, .parts__row, .pad button, .refused, .keys-opener");
    const takesText = (element) =>
      element.isContentEditable ||
      element.matches("select, textarea, input:not([type=radio], [type=checkbox], [type=range])");
    const isFree = (element) =>
      element === document.body ||
      element.id === "content" ||
      steers(element) ||
      (answer.contains(element) && (isBox(element) || isRead(element)));

    document.addEventListener("keydown", (event) => {
      if (event.isComposing || event.altKey || document.querySelector("dialog[open]")) return;
      const target = event.target instanceof Element ? event.target : document.body;
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        form.requestSubmit(form.querySelector("button[value=next]"));
        return;
      }
      if (event.ctrlKey || event.metaKey) return;
      if (event.key === "Enter" && answer.contains(target) && target.matches("input")) {
        // Alone it never sends: a box is ticked by it, as by the space bar.
        event.preventDefault();
        if (isBox(target)) target.click();
        return;
      }
      // A ranked text has taken its own by now.
      if (event.defaultPrevented) return;
      if (!isFree(target) && (takesText(target) || !SIGN.test(event.key))) return;
      if (form.dataset.keys === "off" && event.key.length === 1) return;
      if (begun && !/^\d$/.test(event.key) && settle()) {
        event.preventDefault();
        if (event.key === "Enter") return;
      }
      const act = ACTIONS[event.key];
      const isEvidence = event.key.toLowerCase() === EVIDENCE;
      // There the arrows scroll.
      if (act && /^(Arrow|Page)/.test(event.key) && isRead(target)) return;
      // A key held down is one answer, not one for every part.
      if (event.repeat && !act) return;
      if (act ? act() : choose(event.key) || (isEvidence && evidence())) event.preventDefault();
    });
  };

  const startAll = () => document.querySelectorAll("form.question").forEach(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startAll);
  else startAll();
})();
