/* Slider: lays a range over the number field, which stays the one that is posted. The range has
   no name, so an answer that nobody gave is never sent. */
"use strict";

(() => {
  const partsOf = (element) => {
    const field = element instanceof Element ? element.closest(".scale-field") : null;
    return (
      field && {
        field,
        number: field.querySelector("input[type=number]"),
        range: field.querySelector("input[type=range]"),
      }
    );
  };

  const place = ({ field, number, range }) => {
    number.value = range.value;
    range.classList.remove("untouched");
    range.removeAttribute("aria-valuetext");
    field.classList.add("is-answered");
  };

  const prepare = (field) => {
    const parts = partsOf(field);
    if (field.classList.contains("has-range")) return;
    const { number, range } = parts;
    // A field out of sight cannot show the browser's own complaint; the server's is shown.
    number.required = false;
    field.classList.add("has-range");
    range.closest(".scale-range").hidden = false;
    if (number.value === "") {
      range.setAttribute("aria-valuetext", range.dataset.untouched);
      return;
    }
    const exact = number.value; // the range would round it to its own steps
    range.value = exact;
    place(parts);
    number.value = exact;
  };

  const prepareAll = () => document.querySelectorAll(".scale-field").forEach(prepare);

  document.addEventListener("input", (event) => {
    if (event.target instanceof Element && event.target.matches(".scale-range input")) {
      place(partsOf(event.target));
    }
  }, true);

  // A click on the very middle, where the range already stands, changes nothing by itself.
  document.addEventListener("pointerup", (event) => {
    if (!(event.target instanceof Element) || !event.target.matches(".scale-range input")) return;
    const parts = partsOf(event.target);
    if (parts.range.matches(":disabled") || parts.number.value !== "") return;
    place(parts);
    parts.number.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // A number that was typed, or taken back.
  document.addEventListener("restored", (event) => {
    const parts = partsOf(event.target) || partsOf(event.target.querySelector(".scale-field"));
    if (!parts) return;
    const { field, number, range } = parts;
    const isEmpty = number.value === "";
    if (!isEmpty) range.value = number.value;
    range.classList.toggle("untouched", isEmpty);
    field.classList.toggle("is-answered", !isEmpty);
    if (isEmpty) range.setAttribute("aria-valuetext", range.dataset.untouched);
    else range.removeAttribute("aria-valuetext");
  });

  document.addEventListener("DOMContentLoaded", prepareAll);
  document.addEventListener("htmx:load", prepareAll);
  if (document.readyState !== "loading") prepareAll();
})();
