import fc from "fast-check";
import { expect, test } from "vitest";
import { createGrammar, createTokenizer, foldsOf, namesOf, type Token, tokensOf } from "./index.ts";

function shown(source: string): string {
  return tokensOf(source)
    .map(({ from, to, kind }) => `${source.slice(from, to)}:${kind}`)
    .join(" ");
}

test.each`
  source                          | tokens
  ${"x = 1  # one"}               | ${"x:name =:operator 1:number # one:comment"}
  ${"f(a, k=None)"}               | ${"f:function (:punctuation a:name ,:punctuation k:parameter =:operator None:constant ):punctuation"}
  ${"a.b.c(1)"}                   | ${"a:name .:punctuation b:property .:punctuation c:function (:punctuation 1:number ):punctuation"}
  ${"not a"}                      | ${"not:keyword a:name"}
  ${"'a\\n' * 2"}                 | ${"'a:string \\n:escape ':string *:operator 2:number"}
  ${'f"x{y!r:>{w}}z"'}            | ${'f"x:string {:punctuation y:name !r:punctuation ::punctuation {:punctuation w:name }:punctuation }:punctuation z":string'}
  ${"@nn.op('a')\ndef f(x):pass"} | ${"@:decorator nn:decorator .:punctuation op:decorator (:punctuation 'a':string ):punctuation def:keyword f:function (:punctuation x:parameter ):punctuation ::punctuation pass:keyword"}
  ${"class A(B): ..."}            | ${"class:keyword A:class (:punctuation B:name ):punctuation ::punctuation ...:constant"}
`("$source has the tokens $tokens", ({ source, tokens }) => {
  expect(shown(source)).toBe(tokens);
});

test("the part around a fault keeps its colours", () => {
  const words = shown("x = 1\ny = = 2\ndef f(): pass\n");
  expect(words).toContain("x:name =:operator 1:number y:name");
  expect(words).toContain("def:keyword f:function");
});

test("tokens come in order and do not overlap, whatever the text", () => {
  const alphabet = [..."ab1 \n\t()[]{}:=,.'\"#\\@*ü‘", "def ", "f'{", "'''", "lambda ", "0x"];
  const text = fc
    .array(fc.constantFrom(...alphabet), { maxLength: 60 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (source) => {
      expect(disordered(source, tokensOf(source))).toEqual([]);
    }),
    { seed: 1, numRuns: process.env.SOAK ? 20_000 : 300 },
  );
});

test("a text that is edited has the tokens that it has when it is read anew", () => {
  const alphabet = [..."ab1 \n()[]:=,.'\"#", "def f(a):\n  ", "x = f(1)\n", "'''", "    "];
  const edit = fc.record({
    at: fc.nat(400),
    removed: fc.nat(6),
    added: fc.array(fc.constantFrom(...alphabet), { maxLength: 4 }).map((parts) => parts.join("")),
  });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      const retokenize = createTokenizer();
      const grammar = createGrammar();
      let source = "def f(a, b):\n    return a + b  # sum\n\nx = f('p', 2)\ny = x\n".repeat(4);
      for (const { at, removed, added } of edits) {
        const place = Math.min(at, source.length);
        source = source.slice(0, place) + added + source.slice(place + removed);
        expect(retokenize(source)).toEqual(tokensOf(source));
        expect(grammar.namesOf(source)).toEqual(namesOf(source));
        expect(grammar.tokensOf(source)).toEqual(tokensOf(source));
        expect(grammar.foldsOf(source)).toEqual(foldsOf(source));
      }
    }),
    { seed: 2, numRuns: process.env.SOAK ? 5_000 : 60 },
  );
});

test.each([
  ["code", "def f(a, b):\n    return a + b * 2  # sum\n".repeat(6_000)],
  ["garbage", ":=;,.()[]{}".repeat(23_000)],
  ["an open string", `"""${"word ".repeat(50_000)}`],
  ["brackets", "(".repeat(256_000)],
])("256 kB of %s have tokens in order", (_, source) => {
  const tokens = tokensOf(source);
  expect(tokens.length).toBeGreaterThan(0);
  expect(disordered(source, tokens)).toEqual([]);
});

test("between the tokens of a text that is read stands white space alone", () => {
  const source = `def f(a, *b, c=1):\n    return [a @ c, -1.5e3, "x", f'{b!r}']  # sum\n`.repeat(
    40,
  );
  const covered = tokensOf(source).map(({ from, to }) => source.slice(from, to));
  expect(covered.join("").replace(/\s/g, "")).toBe(source.replace(/\s/g, ""));
});

/** Tokens that are empty, begin before the previous one ends, or end after the text. */
function disordered(source: string, tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(
    ({ from, to }, at) => from < (tokens[at - 1]?.to ?? 0) || to <= from || to > source.length,
  );
}
