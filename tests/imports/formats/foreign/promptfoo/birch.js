const answers = { tram: 'At night there is a bus.', pool: 'It opens at nine in the morning.' };
module.exports = class {
  id() { return 'birch'; }
  async callApi(prompt, context) {
    const output = answers[context.vars.topic];
    return output ? { output } : { error: 'birch has no answer about this' };
  }
};
