/* Two questions about one part, answered at once: a row for each answer to the first, with the
   answers to the second as its buttons, which choose both. It fills the radio buttons, which stay what is posted, and stands in their
   place while one part is in focus. */
"use strict";

(() => {
  const MOST = 9; // crossings, one digit each

  const words = (field) => field.closest("label").textContent.replace(/\s+/g, " ").trim();
  const legend = ({ place }) => place.querySelector("legend").textContent.trim();

  const choose = (...fields) => {
    for (const field of fields) field.checked = true;
    for (const field of fields) field.dispatchEvent(new Event("input", { bubbles: true }));
    fields[fields.length - 1].dispatchEvent(new Event("change", { bubbles: true }));
  };

  const line = (name, text) => {
    const element = document.createElement("p");
    element.className = name;
    element.textContent = text;
    return element;
  };

  const buttonFor = (row, column, digit) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.key = String(digit);
    button.textContent = words(column);
    button.setAttribute("aria-label", `${words(row)}, ${words(column)}`);
    button.addEventListener("click", () => choose(row, column));
    return { button, fields: [row, column] };
  };

  const draw = (part, [rows, columns], told) => {
    const pad = document.createElement("div");
    pad.className = "pad";
    pad.setAttribute("role", "group");
    pad.setAttribute("aria-label", `${legend(rows)} ${legend(columns)}`);
    pad.dataset.columns = columns.fields.length;
    pad.append(line("pad__asked", `${legend(rows)} ${legend(columns)}`), line("pad__told", told));
    const buttons = rows.fields.flatMap((row, at) => {
      const made = columns.fields.map((column, place) =>
        buttonFor(row, column, at * columns.fields.length + place + 1),
      );
      pad.append(line("pad__head", words(row)), ...made.map(({ button }) => button));
      return made;
    });
    part.append(pad);
    const show = () => {
      for (const { button, fields } of buttons) {
        button.setAttribute("aria-pressed", String(fields.every((field) => field.checked)));
      }
    };
    show();
    return show;
  };

  const start = (form) => {
    const parts = window.partsOf(form);
    if (!form.querySelector(".parts")) return;
    const padded = parts.parts.filter((part) => part.matches("[data-pad]"));
    const { told } = form.querySelector(".parts").dataset;
    const shows = padded.flatMap((part) => {
      const groups = parts.groupsOf(part);
      const fits = groups.length === 2 && groups[0].fields.length * groups[1].fields.length <= MOST;
      part.classList.toggle("has-pad", fits);
      return fits ? [draw(part, groups, told)] : [];
    });
    const showAll = () => shows.forEach((show) => show());
    form.addEventListener("change", showAll);
    form.addEventListener("restored", showAll);
  };

  const startAll = () => document.querySelectorAll("form.question[data-parts='one']").forEach(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startAll);
  else startAll();
})();
