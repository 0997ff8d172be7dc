/* Shows how far an upload is, lets it be cancelled, and refuses a file that is too large before it
   is sent. Without this script the form is sent as any other. */
"use strict";

(() => {
  const form = document.querySelector("form[data-upload]");
  if (!form) return;
  const part = (name) => form.querySelector(`[data-upload-${name}]`);
  const bar = part("progress");
  const message = part("message");
  const cancel = part("cancel");
  const send = form.querySelector("button:not([type])");
  let request = null;

  const tell = (text) => {
    message.textContent = text;
    message.hidden = !text;
  };

  /* All has arrived, and the answer is still to come. */
  const showReading = (reads) => {
    part("sending").hidden = reads;
    part("reading").hidden = !reads;
  };

  const show = (busy) => {
    bar.hidden = cancel.hidden = !busy;
    send.disabled = busy;
    showReading(false);
  };

  const isTooLarge = () => {
    const size = [...form.elements.file.files].reduce((sum, file) => sum + file.size, 0);
    return size > Number(form.dataset.limit) * 1024 * 1024;
  };

  const onProgress = (event) => {
    if (!event.lengthComputable) return;
    const percent = Math.floor((event.loaded / event.total) * 100);
    bar.querySelector("progress").value = percent;
    part("percent").textContent = String(percent);
  };

  const onEnd = () => {
    show(false);
    const here = form.action || window.location.href;
    if (request.status === 200 && request.responseURL && request.responseURL !== here) {
      window.location.assign(request.responseURL);
      return;
    }
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    const error = page.querySelector(".field__error, [data-upload-error]");
    tell(error ? error.textContent : form.dataset.broken);
  };

  form.elements.file.addEventListener("change", () => tell(isTooLarge() ? form.dataset.tooLarge : ""));

  form.addEventListener("submit", (event) => {
    if (!form.elements.file.files.length) return; // nothing to show for a file on the server
    event.preventDefault();
    if (request && request.readyState !== XMLHttpRequest.DONE && request.readyState !== 0) return;
    if (isTooLarge()) {
      tell(form.dataset.tooLarge);
      return;
    }
    tell("");
    show(true);
    request = new XMLHttpRequest();
    request.upload.addEventListener("progress", onProgress);
    request.upload.addEventListener("load", () => showReading(true));
    request.addEventListener("load", onEnd);
    request.addEventListener("error", () => {
      show(false);
      tell(form.dataset.broken);
    });
    request.addEventListener("abort", () => show(false));
    request.open("POST", form.action || window.location.href);
    request.send(new FormData(form));
  });

  cancel.addEventListener("click", () => request && request.abort());
})();
