/**
 * Patterns of ratios, as a number with a sign of multiplication or in words, without a quantity.
 */
const patterns = [
  /(?<![\d\w)] )×\d[\d.]*(?! (?:bytes|steps|time)\b)(?![\d.])/gu,
  /(?<![\w.])\d[\d.]*[x×](?![\w×])(?! ?\d)/gu,
  /\b[\d.]+ times (?:as (?:much|many|fast|large)|faster|slower|cheaper|dearer|more|less|fewer)\b(?! (?:bytes|steps|time|elements|devices)\b)/gu,
];

/**
 * The ratios of a text that name no quantity: `×1.43` and not `×1.43 bytes`. A text that is no more
 * than `×24` stands on the card of so many equal blocks, or beside a tensor with so many copies, and
 * counts these.
 */
export function unnamedRatios(text: string): readonly string[] {
  if (/^×\d+$/.test(text)) return [];
  return patterns.flatMap((pattern) => text.match(pattern) ?? []);
}
