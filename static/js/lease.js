/* Shows, well before a lease ends, that it does, and the button for more time. */
"use strict";

(() => {
  // The server writes its own zone's time; here the clock on the worker's wall is known. In the
  // page's language, with the digits that the rest of the page has.
  const language = `${document.documentElement.lang || "en"}-u-nu-latn`;
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const tellLocally = () => {
    for (const time of document.querySelectorAll(".lease time, time[data-clock]")) {
      const local = new Date(time.dateTime);
      time.textContent = local.toLocaleTimeString(language, clock);
    }
  };

  const look = () => {
    const lease = document.getElementById("lease");
    if (!lease) return;
    const left = (Date.parse(lease.dataset.until) - Date.now()) / 1000;
    const soon = lease.querySelector(".lease__soon");
    const more = lease.querySelector(".lease__more");
    if (left > Number(lease.dataset.warn)) return;
    // Who has had all the extra time there is has no button.
    if (soon) soon.hidden = false;
    if (more) more.hidden = false;
  };
  window.setInterval(look, 5000);
  document.addEventListener("htmx:load", tellLocally);
  tellLocally();
  look();
})();
