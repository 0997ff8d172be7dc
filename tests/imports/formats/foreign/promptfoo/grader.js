// A grader that needs no model: it likes answers that name a time.
module.exports = class {
  id() { return 'clock-grader'; }
  async callApi(prompt) {
    const text = String(prompt);
    const output = text.slice(text.lastIndexOf('<Output>'), text.lastIndexOf('</Output>'));
    const timed = /nine|one in the/.test(output);
    const reason = timed ? 'It names the time.' : 'It names no time.';
    return { output: JSON.stringify({ reason, pass: timed, score: timed ? 1 : 0.25 }) };
  }
};
