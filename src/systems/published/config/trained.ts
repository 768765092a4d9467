/**
 * A program as a step of training: the loss over its vocabulary where it is a language model of
 * `input_ids`, else the mean of its last value, or the means of several, which stands in for a loss that a
 * configuration does not name.
 */
export function trained(program: string): string {
  const text = program.trimEnd();
  const results = lastResults(text);
  const [result] = results;
  if (result === undefined) return program;
  const isLanguage =
    /^input_ids = Tensor\(/mu.test(text) &&
    /\w+(?:ForCausalLM|ForMaskedLM|LMHeadModel)\b/u.test(text);
  const lines = isLanguage
    ? [
        'labels = Tensor((B, S), "i64")',
        `loss = F.cross_entropy(${result}.reshape(B * S, vocab_size), labels.reshape(B * S))`,
      ]
    : [
        `# config.json names no loss: the mean of the result stands in for one.`,
        `loss = ${results.map((each) => `${each}.mean()`).join(" + ")}`,
      ];
  return `${[text, ...lines, "train(loss)"].join("\n")}\n`;
}

/** The names that the last statement at the margin binds: several where the model gives a tuple. */
function lastResults(text: string): readonly string[] {
  const names = text
    .split("\n")
    .map((line) => /^([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*) = /u.exec(line)?.[1])
    .findLast((name) => name !== undefined);
  return names?.split(", ") ?? [];
}
