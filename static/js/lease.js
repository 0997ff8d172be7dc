/* Counts the time that is left, shows well before its end that it ends and the button for more
   time, and says at its end that it is over. */
"use strict";

(() => {
  // The server writes its own zone's time; here the clock on the worker's wall is known. In the
  // page's language, with the digits that the rest of the page has.
  const language = `${document.documentElement.lang || "en"}-u-nu-latn`;
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const HOUR = 60;
  const DAY = 24 * HOUR;
  const tell = (time, moment) => {
    time.textContent = new Date(moment).toLocaleTimeString(language, clock);
  };

  // The server says how many seconds are left, since the computer's clock may be wrong. What has
  // passed since then is told by two counters: one may stop while the computer sleeps.
  const begun = new WeakMap();
  const secondsLeft = (lease) => {
    if (!begun.has(lease)) begun.set(lease, [performance.now(), Date.now()]);
    const [counted, told] = begun.get(lease);
    const passed = Math.max(performance.now() - counted, Date.now() - told);
    return Number(lease.dataset.left) - passed / 1000;
  };

  const tellLocally = () => {
    for (const time of document.querySelectorAll("time[data-clock]")) tell(time, time.dateTime);
    // The end is told in the time of the clock that the worker sees, be it right or wrong.
    for (const lease of document.querySelectorAll(".lease")) {
      const until = Date.now() + 1000 * secondsLeft(lease);
      for (const time of lease.querySelectorAll("time")) tell(time, until);
    }
  };

  // As annotation/messages/time_left.py says it.
  const inWords = (texts, minutes) => {
    if (minutes >= 2 * DAY) return texts.days.replace("#", Math.floor(minutes / DAY));
    if (minutes >= 2 * HOUR) return texts.hours.replace("#", Math.floor(minutes / HOUR));
    return minutes ? texts.minutes.replace("#", minutes) : texts.last;
  };

  const show = (element, shown) => {
    if (element) element.hidden = !shown;
  };

  const look = () => {
    const lease = document.getElementById("lease");
    if (!lease) return;
    const part = (name) => lease.querySelector(`.lease__${name}`);
    const left = secondsLeft(lease);
    const words = left > 0 ? inWords(lease.dataset, Math.floor(left / 60)) : "";
    const counter = part("left");
    if (counter && words && counter.textContent !== words) counter.textContent = words;
    if (left > Number(lease.dataset.warn)) return;
    show(part("soon"), left > 0);
    show(part("more"), true); // Who has had all the extra time there is has no button.
    if (left > 0) return;
    show(part("over"), true);
    show(part("until"), false);
  };
  window.setInterval(look, 5000);
  document.addEventListener("htmx:load", () => {
    tellLocally();
    look();
  });
  document.addEventListener("visibilitychange", look);
  tellLocally();
  look();
})();
