/** A command line without `--seconds N`, and the time limit N. */
export function takeSeconds(words: readonly string[]): {
  readonly argv: readonly string[];
  readonly seconds: number | undefined;
} {
  const at = words.findIndex((word) => /^--seconds(=|$)/.test(word));
  if (at < 0) return { argv: words, seconds: undefined };
  const inline = words[at]?.split("=")[1];
  const seconds = Number(inline ?? words[at + 1]);
  const taken = inline === undefined ? 2 : 1;
  const argv = [...words.slice(0, at), ...words.slice(at + taken)];
  return { argv, seconds: seconds > 0 ? seconds : undefined };
}
