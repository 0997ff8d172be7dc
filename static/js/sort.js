/* Lets the tables of a page be sorted by any column: upwards, downwards, then as the server had
   them. Without this script the server's order stands. */
"use strict";

(() => {
  const ORDERS = ["ascending", "descending", ""];
  const words = new Intl.Collator(document.documentElement.lang, { numeric: true });

  /* The number that a cell begins with, else its text; nothing where it says why there is none. */
  const valueOf = (cell) => {
    if (!cell || cell.classList.contains("estimates__missing")) return null;
    if (cell.querySelector(".estimates__missing, .visually-hidden")) return null;
    const shown = (cell.querySelector(".estimates__value") || cell).textContent.trim();
    if (!shown) return null;
    const number = Number.parseFloat(shown.replace("−", "-").replace(/^<\s*/, ""));
    return cell.classList.contains("number") && !Number.isNaN(number) ? number : shown;
  };

  const compare = (first, second) => {
    if (typeof first === "number" && typeof second === "number") return first - second;
    return words.compare(String(first), String(second));
  };

  const sort = (table, head, at) => {
    const order = ORDERS[(ORDERS.indexOf(head.getAttribute("aria-sort") || "") + 1) % ORDERS.length];
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    if (order) head.setAttribute("aria-sort", order);
    const sign = order === "descending" ? -1 : 1;
    const rows = table.rowsAsGiven.map((row, place) => ({ row, place, value: valueOf(row.cells[at]) }));
    rows.sort((first, second) => {
      if (!order) return first.place - second.place;
      // What has no value comes last, whatever the order.
      if (first.value === null || second.value === null) {
        return (first.value === null) - (second.value === null) || first.place - second.place;
      }
      return sign * compare(first.value, second.value) || first.place - second.place;
    });
    table.tBodies[0].append(...rows.map(({ row }) => row));
  };

  const offer = (table) => {
    table.rowsAsGiven = [...table.tBodies[0].rows];
    if (table.rowsAsGiven.length < 2) return;
    [...table.tHead.rows[0].cells].forEach((head, at) => {
      const text = [...head.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (head.tagName !== "TH" || !text) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.textContent = text.data.trim();
      text.replaceWith(button);
      button.addEventListener("click", () => sort(table, head, at));
    });
  };

  const start = () => document.querySelectorAll("table[data-sortable]").forEach(offer);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
