/* Importance: the positions of the claims as a list to drag, with keys and buttons beside it. The
   select of each claim stays what is posted; until something is moved, all of them are empty. Where
   only the claims with one label are ordered, the others are out of the list, and without a place. */
"use strict";

(() => {
  const HANDLE = ".claim-order__handle";
  const orderOf = (element) =>
    element instanceof Element ? element.closest(".claim-order") : null;
  const rowOf = (element) => element.closest(".claim-order__row");
  const allRowsOf = (order) => Array.from(order.querySelectorAll(".claim-order__row"));
  const rowsOf = (order) => allRowsOf(order).filter((row) => !row.hidden);
  const selectOf = (row) => row.querySelector("select");
  const indexOf = (row) => rowsOf(orderOf(row)).indexOf(row);

  const isRecorded = (order) =>
    rowsOf(order).every((row, index) => selectOf(row).value === String(index + 1));

  const say = (order, text, ...values) => {
    const said = values.reduce((so, value, index) => so.replace(`%${index + 1}`, value), text);
    order.querySelector(".claim-order__status").textContent = said;
  };

  // The list as it stands becomes the posted positions; complaints about them are settled.
  const record = (order) => {
    rowsOf(order).forEach((row, index) => {
      const select = selectOf(row);
      select.value = String(index + 1);
      select.removeAttribute("aria-invalid");
      select.removeAttribute("aria-describedby");
      row.querySelectorAll(".field__error").forEach((error) => error.remove());
    });
  };

  // Whoever saves on a change hears of it once.
  const tell = (row) => selectOf(row).dispatchEvent(new Event("change", { bubbles: true }));

  // The other rows are moved around this one, so that it keeps the focus and the pointer.
  const place = (row, target) => {
    for (let at = indexOf(row); at > target; at -= 1) row.after(row.previousElementSibling);
    for (let at = indexOf(row); at < target; at += 1) row.before(row.nextElementSibling);
  };

  const settle = (row) => {
    const order = orderOf(row);
    record(order);
    const count = rowsOf(order).length;
    say(order, order.dataset.moved, row.dataset.number, indexOf(row) + 1, count);
  };

  const move = (row, target) => {
    const order = orderOf(row);
    const last = rowsOf(order).length - 1;
    const within = Math.min(Math.max(target, 0), last);
    if (within === indexOf(row)) {
      say(order, order.dataset.edge, row.dataset.number);
      return;
    }
    place(row, within);
    settle(row);
    tell(row);
    row.scrollIntoView({ block: "nearest" });
  };

  // --- Starting from the labels, or from the order of the response ---------------------------

  const radiosOf = (row) => {
    const name = row.querySelector(".claim-order__label").dataset.labels;
    return Array.from(document.querySelectorAll(`input[type=radio][name="${name}"]`));
  };

  const rankByLabel = (row) => {
    const radios = radiosOf(row);
    const chosen = radios.findIndex((radio) => radio.checked);
    return chosen < 0 ? radios.length : chosen;
  };

  const start = (button) => {
    const order = orderOf(button);
    const rows = rowsOf(order);
    if (button.dataset.start === "labels") {
      rows.sort((one, other) => rankByLabel(one) - rankByLabel(other)); // sorting is stable
      order.querySelector(".claim-order__list").prepend(...rows);
    }
    record(order);
    say(order, order.dataset.ordered);
    tell(rows[0]);
  };

  /* Those with the label are the list; the others stand behind it, unseen. */
  const sift = (order) => {
    const { of } = order.dataset;
    if (!of) return;
    const chosen = (row) => radiosOf(row).find((radio) => radio.checked);
    const rows = allRowsOf(order);
    for (const row of rows) {
      row.hidden = chosen(row)?.value !== of;
      if (row.hidden) selectOf(row).value = "";
    }
    order.querySelector(".claim-order__list").append(...rows.filter((row) => row.hidden));
    const ordered = rowsOf(order);
    const isWaiting = !rows.every(chosen);
    const placed = ordered.filter((row) => selectOf(row).value !== "");
    // Who left makes room; one alone is first, which says nothing once it is no longer alone.
    if (placed.length === ordered.length || ordered.length === 1) record(order);
    else if (placed.length === 1) selectOf(placed[0]).value = "";
    order.classList.toggle("is-waiting", isWaiting);
    order.querySelector(".claim-order__few").hidden = isWaiting || ordered.length > 1;
    order.querySelector(".claim-order__starts").hidden = ordered.length < 2;
  };

  const showLabels = () => {
    for (const order of document.querySelectorAll(".claim-order")) {
      sift(order);
      for (const row of rowsOf(order)) {
        const chosen = radiosOf(row).find((radio) => radio.checked);
        const words = chosen ? chosen.closest("label").textContent.trim() : "";
        row.querySelector(".claim-order__label").textContent = words;
      }
    }
  };

  // --- Buttons, keys and positions -------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!orderOf(button)) return;
    if (button.dataset.start) start(button);
    if (button.dataset.move) move(rowOf(button), indexOf(rowOf(button)) + Number(button.dataset.move));
  });

  document.addEventListener("keydown", (event) => {
    if (!(event.target instanceof Element) || !event.target.matches(HANDLE)) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const row = rowOf(event.target);
    const here = indexOf(row);
    const last = rowsOf(orderOf(row)).length - 1;
    const target = { ArrowUp: here - 1, ArrowDown: here + 1, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    move(row, target);
  });

  // While capturing, so that whoever saves on a change finds the whole order.
  document.addEventListener(
    "change",
    (event) => {
      if (!(event.target instanceof Element)) return;
      if (event.target.matches(".statement input[type=radio]")) showLabels();
      const order = orderOf(event.target);
      if (!order || !event.target.matches("select") || isRecorded(order)) return;
      const row = rowOf(event.target);
      if (event.target.value !== "") place(row, Number(event.target.value) - 1);
      else if (rowsOf(order).every((one) => one === row || selectOf(one).value === "")) return;
      settle(row);
    },
    true,
  );

  // --- Keys of the page: O takes the order of the labels, or the one of the response -------------

  document.addEventListener("answerkey", (event) => {
    const order = orderOf(event.target);
    if (!order || event.detail.key.toLowerCase() !== "o" || !rowsOf(order).length) return;
    event.preventDefault();
    start(order.querySelector("[data-start]"));
  });

  document.addEventListener("restored", (event) => {
    for (const order of event.target.querySelectorAll(".claim-order")) {
      sift(order);
      const position = (row) => Number(selectOf(row).value || row.dataset.number);
      const rows = rowsOf(order).sort((one, other) => position(one) - position(other));
      order.querySelector(".claim-order__list").prepend(...rows);
    }
    showLabels();
  });

  // --- Dragging ------------------------------------------------------------------------------

  let drag = null;

  const follow = (y) => {
    const { row } = drag;
    const middle = (other) => {
      const box = other.getBoundingClientRect();
      return box.top + box.height / 2;
    };
    while (row.previousElementSibling && y < middle(row.previousElementSibling)) {
      row.after(row.previousElementSibling);
    }
    while (row.nextElementSibling && !row.nextElementSibling.hidden && y > middle(row.nextElementSibling)) {
      row.before(row.nextElementSibling);
    }
  };

  const EDGE = 48;
  const scrollAt = (y) => {
    if (y < EDGE) window.scrollBy(0, -EDGE / 4);
    if (y > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 4);
  };

  const end = (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    const { row, from } = drag;
    drag = null;
    row.classList.remove("is-dragged");
    if (event.type === "pointercancel") place(row, from);
    if (indexOf(row) === from) return;
    settle(row);
    tell(row);
  };

  document.addEventListener("pointerdown", (event) => {
    const handle = event.target instanceof Element ? event.target.closest(HANDLE) : null;
    if (!handle || event.button !== 0 || handle.matches(":disabled")) return;
    const row = rowOf(handle);
    drag = { row, from: indexOf(row), pointer: event.pointerId };
    handle.setPointerCapture(event.pointerId);
    row.classList.add("is-dragged");
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.pointer) return;
    follow(event.clientY);
    scrollAt(event.clientY);
  });

  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);

  // --- Preparing -------------------------------------------------------------------------------

  const prepare = (order) => {
    if (order.classList.contains("has-script")) return;
    order.classList.add("has-script");
    order.querySelectorAll(".claim-order__scripted").forEach((part) => {
      part.hidden = false;
    });
    sift(order);
    const rows = rowsOf(order);
    const position = (row) => Number(selectOf(row).value);
    const given = new Set(rows.map(position));
    if (given.has(0) || given.size < rows.length) return; // not an order yet: nothing moves
    rows.sort((one, other) => position(one) - position(other));
    order.querySelector(".claim-order__list").prepend(...rows);
  };

  const prepareAll = () => {
    document.querySelectorAll(".claim-order").forEach(prepare);
    showLabels();
  };

  document.addEventListener("DOMContentLoaded", prepareAll);
  document.addEventListener("htmx:load", prepareAll);
  if (document.readyState !== "loading") prepareAll();
})();
