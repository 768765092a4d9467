/** Words in a sentence: `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
