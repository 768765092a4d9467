/** Patterns of ratios without a quantity, as a number with a multiplication sign or in words. */
const patterns = [
  /(?<![\d\w)] )×\d[\d.]*(?! (?:bytes|steps|time)\b)(?![\d.])/gu,
  /(?<![\w.])\d[\d.]*[x×](?![\w×])(?! ?\d)/gu,
  /\b[\d.]+ times (?:as (?:much|many|fast|large)|faster|slower|cheaper|dearer|more|less|fewer)\b(?! (?:bytes|steps|time|elements|devices)\b)/gu,
];

/**
 * The ratios of a text that name no quantity: `×1.43` but not `×1.43 bytes`. A text that is only
 * `×24` counts equal blocks or copies and is allowed.
 */
export function unnamedRatios(text: string): readonly string[] {
  if (/^×\d+$/.test(text)) return [];
  return patterns.flatMap((pattern) => text.match(pattern) ?? []);
}
