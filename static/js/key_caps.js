/* The key on each answer that it would choose now. Which those are is said by keys.js, by the rule
   it chooses by. Read aloud the answers stay as they are: a cap is not part of their names. */
"use strict";

window.keyCaps = (form) => {
  let drawn = [];

  const clear = () => {
    for (const place of drawn) {
      place.classList.remove("has-key", "has-key--begun");
      place.querySelector(":scope > .key-cap").remove();
    }
    drawn = [];
  };

  const cap = (key) => {
    const sign = document.createElement("kbd");
    sign.className = "key-cap key-cap--sign";
    sign.setAttribute("aria-hidden", "true");
    sign.textContent = key.toUpperCase();
    return sign;
  };

  const put = ({ key, place }, begun) => {
    place.append(cap(key));
    place.classList.add("has-key");
    place.classList.toggle("has-key--begun", begun !== "" && key.startsWith(begun));
    drawn.push(place);
  };

  /* begun: the first digit of two, where it was pressed and the second one is waited for. */
  const draw = (choices, begun = "") => {
    clear();
    if (form.dataset.keys === "off") return;
    for (const choice of choices) if (choice.place) put(choice, begun);
  };

  return { draw, cap };
};
