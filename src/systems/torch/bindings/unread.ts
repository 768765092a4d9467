/** Functions whose results have as many elements as the values of their operands say. */
const sizedByValues: ReadonlySet<string> = new Set([
  ...["nonzero", "where", "masked_select", "unique", "bincount", "repeat_interleave"].map(
    (name) => `torch.${name}`,
  ),
  "torch.nn.functional.one_hot",
]);

/** Why the results of a function of torch have no known shape, by its path; nothing of others. */
export function unread(path: string): "not-read" | "sized-by-values" | undefined {
  if (sizedByValues.has(path.replace("torch.Tensor.", "torch."))) return "sized-by-values";
  return path.startsWith("torch.") ? "not-read" : undefined;
}
