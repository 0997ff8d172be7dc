/* Two questions about one part, answered at once: the answers of the first are the rows of a pad,
   those of the second its columns; where they cross both are chosen, at the head of a row or of a
   column that one alone. It fills the radio buttons, which stay what is posted, and stands in their
   place while one part is in focus. */
"use strict";

(() => {
  const MOST = 9; // crossings, one digit each

  const words = (field) => field.closest("label").textContent.replace(/\s+/g, " ").trim();
  const legend = ({ place }) => place.querySelector("legend").textContent.trim();

  const choose = (...fields) => {
    for (const field of fields) field.checked = true;
    fields[fields.length - 1].dispatchEvent(new Event("change", { bubbles: true }));
  };

  const buttonFor = (name, label, ...fields) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = name;
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => choose(...fields));
    return { button, fields };
  };

  const draw = (part, [rows, columns]) => {
    const pad = document.createElement("div");
    pad.className = "pad";
    pad.setAttribute("role", "group");
    pad.setAttribute("aria-label", `${legend(rows)} ${legend(columns)}`);
    pad.dataset.columns = columns.fields.length;
    const asked = [rows, columns].map((group) => {
      const line = document.createElement("p");
      line.className = "pad__asked";
      line.textContent = legend(group);
      return line;
    });
    const head = (field) => {
      const made = buttonFor("pad__head", words(field), field);
      made.button.textContent = words(field);
      return made;
    };
    const buttons = columns.fields.map(head);
    const heads = rows.fields.map(head);
    pad.append(...asked, ...buttons.map(({ button }) => button));
    let digit = 0;
    rows.fields.forEach((row, at) => {
      pad.append(heads[at].button);
      for (const column of columns.fields) {
        const made = buttonFor("pad__both", `${words(row)}, ${words(column)}`, row, column);
        digit += 1;
        made.button.dataset.key = String(digit);
        buttons.push(made);
        pad.append(made.button);
      }
    });
    buttons.push(...heads);
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
    const padded = parts.parts.filter((part) => part.matches("[data-pad]"));
    const shows = padded.flatMap((part) => {
      const groups = parts.groupsOf(part);
      const fits = groups.length === 2 && groups[0].fields.length * groups[1].fields.length <= MOST;
      part.classList.toggle("has-pad", fits);
      return fits ? [draw(part, groups)] : [];
    });
    const showAll = () => shows.forEach((show) => show());
    form.addEventListener("change", showAll);
    form.addEventListener("restored", showAll);
  };

  const startAll = () => document.querySelectorAll("form.question[data-parts='one']").forEach(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", startAll);
  else startAll();
})();
