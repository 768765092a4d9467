import fc from "fast-check";
import { expect, test } from "vitest";
import { tokensOf } from "./tokens.ts";

/** `def:keyword f:function` and the like. */
function shown(source: string): string {
  return tokensOf(source)
    .map(({ from, to, kind }) => `${source.slice(from, to)}:${kind}`)
    .join(" ");
}

test.each`
  source                  | tokens
  ${""}                   | ${""}
  ${"x = 1  # one"}       | ${"x:name =:operator 1:number # one:comment"}
  ${"def f(a): return a"} | ${"def:keyword f:function (:punctuation a:name ):punctuation ::punctuation return:keyword a:name"}
  ${"class Net: pass"}    | ${"class:keyword Net:function ::punctuation pass:keyword"}
  ${'place("x", None)'}   | ${'place:name (:punctuation "x":string ,:punctuation None:keyword ):punctuation'}
  ${"a @ b"}              | ${"a:name @:operator b:name"}
`("$source has the tokens [$tokens]", ({ source, tokens }) => {
  expect(shown(source)).toBe(tokens);
});

test("tokens of any text are in order, do not overlap and lie inside it", () => {
  const words = fc.constantFrom("def ", "f", "(", ")", ":", "\n  ", '"', "#", "1", " = ", "é", "@");
  const texts = fc.array(words).map((pieces) => pieces.join(""));
  const runs = process.env.SOAK ? 5000 : 200;
  fc.assert(
    fc.property(texts, (source) => {
      const tokens = tokensOf(source);
      const ends = [0, ...tokens.map(({ to }) => to)];
      expect(tokens.every(({ from, to }, index) => from >= (ends[index] ?? 0) && to > from)).toBe(
        true,
      );
      expect(ends.at(-1)).toBeLessThanOrEqual(source.length);
    }),
    { seed: 1, numRuns: runs },
  );
});
