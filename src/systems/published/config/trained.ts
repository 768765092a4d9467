/**
 * A program as a step of training: the loss over its vocabulary where it is a language model of
 * `input_ids`, else the mean of its last value, which stands in for a loss that a
 * configuration does not name.
 */
export function trained(program: string): string {
  const text = program.trimEnd();
  const result = lastResult(text);
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
        `loss = ${result}.mean()`,
      ];
  return `${[text, ...lines, "train(loss)"].join("\n")}\n`;
}

/** The name that the last statement at the margin binds. */
function lastResult(text: string): string | undefined {
  return text
    .split("\n")
    .map((line) => /^([A-Za-z_]\w*) = /u.exec(line)?.[1])
    .findLast((name) => name !== undefined);
}
