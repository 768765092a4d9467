import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { createParser } from "#language/python";
import { tokensOf } from "#language/tokens";
import { completeAt } from "./complete-at.ts";
import { factsOf } from "./facts.ts";

const programs = examples.flatMap(({ program, plan }) => (plan === undefined ? [program] : []));
const typed = ["", "", "", '"', "'", "(", "[", "k=", 'k="', ", ", ".", 'layout("', "strategy("];

/** A gallery text with something typed at an offset, possibly truncated there. */
const places = fc.record({
  program: fc.constantFrom(...programs),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  added: fc.constantFrom(...typed),
  keepsRest: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
});

/** Number of syntax errors of a text. */
function faultsOf(source: string): number {
  return createParser()(source, true).diagnostics.length;
}

/** Number of unmatched brackets and quotes. */
function unbalanced(source: string): number {
  const open: string[] = [];
  let lost = 0;
  for (const { from, to, kind } of tokensOf(source)) {
    const text = source.slice(from, to);
    if (kind === "string" && !/^[a-z]{0,2}("""|'''|["'])[\s\S]*\1$/i.test(text)) lost += 1;
    else if (/^[([{]$/.test(text)) open.push(text);
    else if (/^[)\]}]$/.test(text) && pairs[open.pop() ?? ""] !== text) lost += 1;
  }
  return open.length + lost;
}

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

test("whatever is accepted anywhere in a gallery text breaks nothing around it", () => {
  let accepted = 0;
  fc.assert(
    fc.property(places, ({ program, at, added, keepsRest }) => {
      const cut = Math.round(at * program.length);
      const source = program.slice(0, cut) + added + (keepsRest ? program.slice(cut) : "");
      const offset = cut + added.length;
      const { span, items } = completeAt(factsOf(source), offset, () => true);
      if (items.length === 0) return;
      expect(span.from).toBeLessThanOrEqual(offset);
      expect(span.to).toBeGreaterThanOrEqual(offset);
      const [faults, lost] = [faultsOf(source), unbalanced(source)];
      const inText = tokensOf(source).some(
        (token) => token.kind === "string" && token.from < span.from && span.to < token.to,
      );
      // A whole string may be replaced; otherwise only a word is.
      if (!inText) expect(source.slice(span.from, offset)).toMatch(/^[\p{L}\p{N}_.*[\]]*$/u);
      if (!inText) expect(source.slice(offset, span.to)).toMatch(/^[\p{L}\p{N}_]*$/u);
      for (const { insert } of oneOfEach(items)) {
        const value = insert.endsWith("=") ? "0" : "";
        const after = source.slice(0, span.from) + insert + value + source.slice(span.to);
        const said = `${JSON.stringify(insert)} at ${JSON.stringify(source.slice(Math.max(0, offset - 30), offset))} ‸ ${JSON.stringify(source.slice(offset, offset + 20))}`;
        expect(faultsOf(after), said).toBeLessThanOrEqual(faults);
        expect(unbalanced(after), said).toBeLessThanOrEqual(lost);
        accepted += 1;
      }
    }),
    { seed: 11, numRuns: process.env.SOAK ? 6_000 : 50 },
  );
  expect(accepted).toBeGreaterThan(100);
});

/** All items that are not plain words, and a few plain words. */
function oneOfEach<T extends { readonly insert: string }>(items: readonly T[]): readonly T[] {
  const words = items.filter(({ insert }) => /^\p{L}+$/u.test(insert));
  const others = items.filter((item) => !words.includes(item));
  return [...others.slice(0, 12), ...words.slice(0, 2), ...words.slice(-1)];
}
