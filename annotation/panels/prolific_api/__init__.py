"""Prolific's API for researchers, as far as this program uses it.

What it rests on is public, and was read, not tried: https://docs.prolific.com/api-reference
(studies, submissions, bonuses, workspaces), https://docs.prolific.com/documentation/core-concepts
(reviewing submissions and rewards; managing high loads) and the published command line client
https://github.com/prolific-oss/cli. From there come

- the header `Authorization: Token …`, and errors as `{"error": {"status", "title", "detail"}}` or
  `{"message", "detail"}` with 400, 401, 404, 405, 422 and 429;
- no fixed rate limit: 429 may come at any time, and is to be repeated with exponential back-off;
- `POST studies/` makes a draft, with `is_external_study_url_secure` for a signed address;
  `POST studies/{id}/transition/` takes PUBLISH, PAUSE, START, STOP;
- `GET studies/{id}/submissions/` with `limit` and `offset`, `meta.count` and `_links.next`;
- `POST submissions/{id}/transition/` takes APPROVE and REJECT (with a category and a message of at
  least 100 characters) and is idempotent; `POST submissions/bulk-approve/` works in the background;
- `POST submissions/bonus-payments/` sets bonuses up and pays nothing: amounts there are in whole
  units of the study's currency, in its reply in the minor unit;
- `POST bulk-bonus-payments/{id}/pay/` pays in the background, and **is not idempotent**: sent
  twice, it pays twice. `GET submissions/{id}/` lists the bonuses that were paid, in the minor unit.

Not documented, and so assumed: the header Retry-After; the words of an error for too little money;
whether lists of submissions hold bonuses (single ones are read where they do not).
"""
