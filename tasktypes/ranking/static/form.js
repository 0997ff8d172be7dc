/* Ranking: lays a board of ranks over the selects, which stay what is posted. Letters are moved by
   dragging, by their buttons, and by digits; those that share a rank are said to. */
"use strict";

(() => {
  const groupOf = (element) =>
    element instanceof Element ? element.closest(".rank-group.has-board") : null;
  const selectOf = (group, chip) =>
    group.querySelector(`select[data-letter="${chip.dataset.letter}"]`);
  const slotOf = (group, rank) => group.querySelector(`.rank-board [data-rank="${rank}"]`);
  const chipsIn = (slot) => Array.from(slot.querySelectorAll(".rank-chip"));
  const letters = (chips) => chips.map((chip) => chip.dataset.letter).join(", ");
  const isLocked = (group) => group.querySelector("select").matches(":disabled");

  /* Puts a chip where its select says; within a rank, letters stay in order. */
  const settle = (group, chip) => {
    const chips = slotOf(group, selectOf(group, chip).value).querySelector(".rank-slot__chips");
    const next = Array.from(chips.children).find(
      (other) => other !== chip && other.dataset.letter > chip.dataset.letter,
    );
    chips.insertBefore(chip, next || null);
  };

  const refresh = (group) => {
    const slots = Array.from(group.querySelectorAll(".rank-slot"));
    for (const slot of slots) {
      slot.querySelector(".rank-slot__tie").hidden = chipsIn(slot).length < 2;
    }
    for (const chip of group.querySelectorAll(".rank-chip")) {
      const rank = Number(selectOf(group, chip).value);
      const [up, down] = chip.querySelectorAll(".rank-chip__move");
      // Not `disabled`: a button that goes dead under the finger would drop the focus.
      up.setAttribute("aria-disabled", String(rank <= 1));
      down.setAttribute("aria-disabled", String(rank === slots.length));
    }
    const pool = group.querySelector(".rank-pool");
    pool.hidden = chipsIn(pool).length === 0;
  };

  const announce = (group, chip) => {
    const rank = selectOf(group, chip).value;
    const others = chipsIn(slotOf(group, rank)).filter((other) => other !== chip);
    const text = others.length ? group.dataset.shared : group.dataset.alone;
    group.querySelector("[role=status]").textContent = text
      .replace("[A]", chip.dataset.letter)
      .replace("[1]", rank)
      .replace("[B]", letters(others));
  };

  const place = (group, chip, rank) => {
    const select = selectOf(group, chip);
    if (isLocked(group) || select.value === String(rank)) return;
    select.value = String(rank);
    const focused = chip.contains(document.activeElement) ? document.activeElement : null;
    settle(group, chip);
    refresh(group);
    if (focused) focused.focus();
    if (rank !== "") announce(group, chip);
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };

  const move = (group, chip, step) => {
    const rank = Number(selectOf(group, chip).value) + step;
    if (rank >= 1 && slotOf(group, rank)) place(group, chip, rank);
  };

  const prepare = (group) => {
    if (group.classList.contains("has-board")) return;
    group.classList.add("has-board");
    group.querySelector(".rank-board").hidden = false;
    for (const chip of group.querySelectorAll(".rank-chip")) settle(group, chip);
    refresh(group);
  };

  const prepareAll = () => document.querySelectorAll(".rank-group").forEach(prepare);

  document.addEventListener("click", (event) => {
    const group = groupOf(event.target);
    const button = group && event.target.closest(".rank-chip__move");
    if (button) move(group, button.closest(".rank-chip"), Number(button.dataset.step));
  });

  document.addEventListener("keydown", (event) => {
    const group = groupOf(event.target);
    const chip = group && event.target.closest(".rank-chip");
    if (!chip || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const steps = { ArrowUp: -1, ArrowDown: 1 };
    if (event.key in steps) move(group, chip, steps[event.key]);
    else if (/^[1-9]$/.test(event.key) && slotOf(group, event.key)) place(group, chip, event.key);
    else return;
    event.preventDefault();
  });

  /* Letters rank the texts one after the other, the best first; "=" lets the next one share. */
  document.addEventListener("answerkey", (event) => {
    const group = groupOf(event.target);
    if (!group) return;
    const key = event.detail.key.toUpperCase();
    if (key === "=") {
      group.dataset.sharing = "yes";
      event.preventDefault();
      return;
    }
    const chip = group.querySelector(`.rank-pool .rank-chip[data-letter="${CSS.escape(key)}"]`);
    if (!chip) return;
    event.preventDefault();
    const ranks = Array.from(group.querySelectorAll("select"), (select) => Number(select.value));
    const placed = ranks.filter(Boolean);
    const shares = group.dataset.sharing === "yes" && placed.length > 0;
    delete group.dataset.sharing;
    place(group, chip, shares ? Math.max(...placed) : placed.length + 1);
  });

  document.addEventListener("restored", (event) => {
    for (const group of event.target.querySelectorAll(".rank-group.has-board")) {
      for (const chip of group.querySelectorAll(".rank-chip")) settle(group, chip);
      refresh(group);
    }
  });

  /* Pointer events serve mouse, pen and touch alike. */
  let drag = null;
  const TAP = 6; // a pointer that moves less, in pixels, asks to see the text

  const under = (group, event) =>
    Array.from(group.querySelectorAll(".rank-board [data-rank]")).find((slot) => {
      const box = slot.getBoundingClientRect();
      const inside = event.clientX >= box.left && event.clientX <= box.right;
      return inside && event.clientY >= box.top && event.clientY <= box.bottom;
    });

  const aim = (slot) => {
    if (drag.slot === slot) return;
    if (drag.slot) drag.slot.classList.remove("is-target");
    if (slot) slot.classList.add("is-target");
    drag.slot = slot;
  };

  const drop = () => {
    aim(undefined);
    drag.chip.classList.remove("is-dragged");
    drag.chip.style.transform = "";
    drag = null;
  };

  document.addEventListener("pointerdown", (event) => {
    const group = groupOf(event.target);
    const grip = group && event.target.closest(".rank-chip__grip");
    if (!grip || event.button !== 0 || isLocked(group)) return;
    drag = { group, chip: grip.closest(".rank-chip"), x: event.clientX, y: event.clientY };
    drag.chip.classList.add("is-dragged");
    grip.setPointerCapture(event.pointerId);
    event.preventDefault();
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.chip.style.transform = `translate(${x}px, ${y}px)`;
    aim(under(drag.group, event));
  });

  document.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { group, chip, slot, x, y } = drag;
    const isTap = Math.hypot(event.clientX - x, event.clientY - y) < TAP;
    drop();
    if (isTap) chip.dispatchEvent(new CustomEvent("peek", { bubbles: true, detail: chip.dataset.letter }));
    else if (slot) place(group, chip, slot.dataset.rank);
  });

  document.addEventListener("pointercancel", () => {
    if (drag) drop();
  });

  document.addEventListener("DOMContentLoaded", prepareAll);
  document.addEventListener("htmx:load", prepareAll);
  if (document.readyState !== "loading") prepareAll();
})();
