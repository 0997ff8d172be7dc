// A provider that needs no model: its answers are written here.
const answers = {
  tram: 'Line 3 runs until one in the morning.',
  pool: 'The pool opens at nine.',
  ferry: 'The ferry does not sail in winter.',
};
module.exports = class {
  id() { return this.options?.id || 'larch'; }
  constructor(options) { this.options = options; }
  async callApi(prompt, context) {
    return { output: answers[context.vars.topic], tokenUsage: { total: 9, prompt: 5, completion: 4 } };
  }
};
