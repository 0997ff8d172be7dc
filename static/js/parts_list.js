/* One part of a question at a time: where it stands and the way back above it, the others as a list
   with their state below, and swiping between them. */
"use strict";

(() => {
  const FAR = 56; // pixels that make a swipe
  const EDGE = 32; // where swipes are the browser's own: back and forth between pages
  const LONGEST = 700; // milliseconds
  const NOT_SWIPED = "input[type=range], select, textarea, pre, table, button[class*=handle]";

  const put = (text, ...values) =>
    values.reduce((so, value, index) => so.replace(`%${index + 1}`, value), text);

  const start = (form) => {
    const head = form.querySelector(".parts");
    const list = form.querySelector(".parts__list");
    if (!head || !list) return;
    const parts = window.partsOf(form);
    const words = head.dataset;
    const [back, on] = head.querySelectorAll("[data-step]");

    const title = (part) => {
      const { number, count } = parts.numberOf(part);
      return count > 1 ? put(words.where, parts.nameOf(part), number, count) : parts.nameOf(part);
    };
    const short = (part) => {
      const { number, count } = parts.numberOf(part);
      return count > 1 ? `${parts.nameOf(part)} ${number}` : parts.nameOf(part);
    };

    // --- The list ---------------------------------------------------------------------------------

    const span = (name, text, lang) => {
      const element = document.createElement(lang ? "bdi" : "span");
      element.className = name;
      element.textContent = text;
      return element;
    };

    const rows = parts.parts.map((part) => {
      const row = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "parts__row";
      // Those of the first name are known by their number alone.
      const { number, count } = parts.numberOf(part);
      const isNamed = count < 2 || parts.nameOf(part) !== parts.nameOf(parts.parts[0]);
      row.classList.toggle("is-named", isNamed);
      const name = span("parts__number", isNamed ? short(part) : number);
      const state = span("parts__state", "");
      button.append(name, span("parts__text", parts.textOf(part), true), state);
      button.addEventListener("click", () => {
        parts.show(part);
        head.scrollIntoView({ block: "nearest" });
      });
      row.append(button);
      return { part, button, state };
    });
    list.append(...rows.map(({ button }) => button.parentElement));
    list.classList.toggle("parts__list--many", rows.length > 9);

    const draw = () => {
      const focused = parts.inFocus();
      head.hidden = list.hidden = !focused;
      if (!focused) return;
      let answered = 0;
      for (const { part, button, state } of rows) {
        const isWhole = parts.isWhole(part);
        answered += Number(isWhole);
        const said = parts.wordsOf(part);
        state.textContent = isWhole ? said || "✓" : said && `${said} …`;
        button.classList.toggle("is-whole", isWhole);
        if (part === focused) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
        button.setAttribute("aria-label", put(words.row, short(part), said || words.open));
      }
      head.querySelector(".parts__name").textContent = title(focused);
      head.querySelector(".parts__done").textContent = put(words.done, answered, rows.length);
      Object.assign(head.querySelector("progress"), { max: rows.length, value: answered });
      const at = parts.parts.indexOf(focused);
      aim(back, parts.parts[at - 1], words.back);
      aim(on, parts.parts[at + 1], words.on);
    };

    /* A button says where it leads, and what was answered there. */
    const aim = (button, part, text) => {
      button.disabled = !part;
      const said = part ? parts.wordsOf(part) : "";
      button.querySelector(".parts__target").textContent = part && button === back ? said : "";
      button.setAttribute("aria-label", part ? put(text, said ? `${short(part)}, ${said}` : short(part)) : put(text, ""));
    };

    const said = head.querySelector("[role=status]");
    form.addEventListener("partshown", ({ detail: part }) => {
      draw();
      said.textContent = part ? title(part) : "";
      const above = parseFloat(getComputedStyle(head).scrollMarginTop); // a strip stays there
      if (part && head.getBoundingClientRect().top < above) head.scrollIntoView({ block: "nearest" });
    });
    form.addEventListener("change", draw);
    form.addEventListener("restored", draw);
    for (const button of [back, on]) {
      button.addEventListener("click", () => parts.move(Number(button.dataset.step)));
    }
    const answering = head.parentElement;
    answering.insertBefore(list, answering.querySelector(":scope > .free-text, :scope > .field"));

    // --- Swiping ------------------------------------------------------------------------------------

    const towards = document.documentElement.dir === "rtl" ? -1 : 1;
    let first = null;

    const isOwn = ({ clientX, target }) =>
      clientX < EDGE ||
      clientX > window.innerWidth - EDGE ||
      (window.visualViewport && window.visualViewport.scale > 1.01) ||
      (target instanceof Element && target.closest(NOT_SWIPED));

    answering.addEventListener("touchstart", ({ touches }) => {
      const [touch] = touches;
      first = touches.length > 1 || isOwn(touch) ? null : { x: touch.clientX, y: touch.clientY, at: performance.now() };
    }, { passive: true });
    answering.addEventListener("touchcancel", () => {
      first = null;
    });
    answering.addEventListener("touchend", ({ changedTouches: [touch] }) => {
      if (!first || !parts.inFocus()) return;
      const [x, y] = [touch.clientX - first.x, touch.clientY - first.y];
      const isSwipe = Math.abs(x) >= FAR && Math.abs(x) > 2 * Math.abs(y);
      if (isSwipe && performance.now() - first.at < LONGEST && window.getSelection().isCollapsed) {
        parts.move(x < 0 ? towards : -towards);
      }
      first = null;
    });

    parts.arrange();
    draw();
  };

  const startAll = () => document.querySelectorAll("form.question[data-parts]").forEach(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startAll);
  else startAll();
})();
