/* On a narrow screen all that is read stands in a strip: it stays at the top, its texts lie side by
   side and slide, and it is pulled down to read more of them. Without this script they stand above
   the answers. */
"use strict";

(() => {
  const NARROW = window.matchMedia("(max-width: 63.99rem) and (min-height: 30rem)");
  const MOVED = 6; // pixels that part a pull from a tap
  const GLIDE = 1000; // milliseconds within which a swipe comes to rest
  const root = document.documentElement;

  /* A box that scrolls can be scrolled by keys, too, and has a name. */
  const makeFocusable = (box, label) => {
    if (box.querySelector("[tabindex='0']") || box.matches("[tabindex='0']:not([data-reached])")) return;
    const scrolls = box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
    box.toggleAttribute("data-reached", scrolls);
    const given = { tabindex: "0", ...(box.hasAttribute("aria-labelledby") ? {} : { role: "region", "aria-label": label }) };
    for (const [name, value] of Object.entries(given)) {
      if (scrolls) box.setAttribute(name, value);
      else box.removeAttribute(name);
    }
  };

  const make = (form) => {
    const reading = form.querySelector(".reading");
    const foot = reading && reading.querySelector(".strip");
    // Where nothing is answered any more, all is read one below the other.
    const isRead = form.querySelector(".question__answer:disabled");
    if (!foot || isRead || form.classList.contains("case")) return null;
    const row = reading.querySelector(".panes");
    const names = foot.querySelector(".strip__names");
    const handle = foot.querySelector(".strip__handle");
    const answering = form.querySelector(".answering");
    // What is judged among the answers where there is room, and its place there.
    const lent = answering.querySelector("[data-pane]");
    const before = lent && lent.nextElementSibling;
    let panes = [];
    let buttons = [];
    let rest = 0; // its height unless it is pulled
    let left = null; // how far the page was scrolled before the strip was pulled down
    let asked = { pane: null, at: 0 }; // the text last asked for by its name, and when

    const isOn = () => reading.classList.contains("is-strip");
    const isPulled = () => reading.classList.contains("is-pulled");

    // --- Which text is in view -----------------------------------------------------------------

    const inView = () => {
      const middle = (box) => box.left + box.width / 2;
      const here = middle(row.getBoundingClientRect());
      const far = (pane) => Math.abs(middle(pane.getBoundingClientRect()) - here);
      return panes.reduce((best, pane) => (far(pane) < far(best) ? pane : best), panes[0]);
    };

    const name = () => {
      const shown = inView();
      buttons.forEach((button, at) => button.setAttribute("aria-current", String(panes[at] === shown)));
    };

    const show = (element) => {
      const pane = panes.find((each) => each.contains(element));
      if (!isOn() || !pane) return false;
      asked = { pane, at: performance.now() };
      row.scrollLeft += pane.getBoundingClientRect().left - row.getBoundingClientRect().left;
      name();
      return true;
    };

    /* A swipe that still glides when a name is tapped goes on to its own end after it. */
    row.addEventListener("scrollend", () => {
      if (asked.pane && performance.now() - asked.at < GLIDE && inView() !== asked.pane) show(asked.pane);
    });
    row.addEventListener("pointerdown", () => { asked.pane = null; }, { passive: true });

    // --- How much of it ------------------------------------------------------------------------

    /* Down to the bar, or over it where the page ends and it has left the edge of the window. */
    const floor = () => {
      const bar = form.querySelector(".bar");
      const box = bar && bar.getBoundingClientRect();
      return box && box.bottom >= window.innerHeight - 1 ? box.top : window.innerHeight;
    };
    const most = () => floor() - Math.max(reading.getBoundingClientRect().top, 0);

    const pull = (height) => {
      const isMore = height > rest;
      reading.classList.toggle("is-pulled", isMore);
      reading.style.setProperty("--pulled", `${Math.min(height, most())}px`);
      handle.setAttribute("aria-expanded", String(isMore));
    };

    const open = () => {
      if (left === null) left = window.scrollY;
      window.scrollBy(0, Math.max(reading.getBoundingClientRect().top, 0));
      pull(most());
    };

    const close = () => {
      if (!isPulled()) return;
      pull(0);
      if (left !== null) window.scrollTo(0, left);
      left = null;
    };

    let pulled = null;
    let ended = false; // a pull, whose end some browsers (WebKit) take for a click as well
    foot.addEventListener("pointerdown", ({ isPrimary, button, clientY }) => {
      ended = false;
      if (isPrimary && !button) pulled = { y: clientY, height: reading.offsetHeight, far: false };
    });
    foot.addEventListener("pointermove", ({ clientY, pointerId }) => {
      if (!pulled) return;
      if (!pulled.far && Math.abs(clientY - pulled.y) < MOVED) return;
      if (!pulled.far) foot.setPointerCapture(pointerId);
      pulled.far = true;
      pull(pulled.height + clientY - pulled.y);
    });
    foot.addEventListener("pointerup", ({ clientY }) => {
      ended = Boolean(pulled && pulled.far);
      if (ended) (clientY > pulled.y ? open : close)();
      pulled = null;
    });
    foot.addEventListener("pointercancel", () => {
      if (pulled && pulled.far) close();
      pulled = null;
    });
    // Else the browser takes the end of a pull for a swipe, and the tap after it for what stops that.
    foot.addEventListener("touchmove", (event) => {
      if (pulled && pulled.far) event.preventDefault();
    }, { passive: false });
    handle.addEventListener("click", ({ detail }) => {
      if (ended && detail) return; // a key's click has no detail
      if (isPulled()) close();
      else open();
    });

    // --- Whether it is one -----------------------------------------------------------------------

    const buttonFor = (pane) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "strip__name";
      button.textContent = pane.dataset.pane;
      button.addEventListener("click", () => show(pane));
      return button;
    };

    const measure = () => {
      if (isOn() && !isPulled()) rest = reading.offsetHeight;
      root.style.setProperty("--strip", `${isOn() ? rest : 0}px`);
      reading.style.setProperty("--rest", `${rest}px`);
      for (const box of isOn() ? panes : [reading]) {
        makeFocusable(box, box.dataset.pane || names.getAttribute("aria-label"));
      }
      makeFocusable(row, names.getAttribute("aria-label"));
      handle.hidden = !panes.some((pane) => isPulled() || pane.scrollHeight > pane.clientHeight + 1);
    };

    const arrange = () => {
      close();
      if (lent && NARROW.matches) row.prepend(lent);
      else if (lent && !answering.contains(lent)) answering.insertBefore(lent, before);
      panes = [...row.querySelectorAll("[data-pane]")];
      const isStrip = NARROW.matches && panes.length > 0;
      reading.classList.toggle("is-strip", isStrip);
      for (const pane of panes) pane.classList.toggle("pane", isStrip);
      foot.hidden = !isStrip;
      buttons = panes.map(buttonFor);
      names.replaceChildren(...buttons);
      if (isStrip) name();
      measure();
    };

    row.addEventListener("scroll", () => window.requestAnimationFrame(() => isOn() && name()), { passive: true });
    NARROW.addEventListener("change", arrange);
    new ResizeObserver(measure).observe(reading);
    arrange();
    return { isOn, isPulled, show, open, close };
  };

  /* The strip of a form, or none where its texts never are one. */
  const made = new WeakMap();
  window.stripOf = (form) => {
    if (!made.has(form)) made.set(form, make(form));
    return made.get(form);
  };
})();
