import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { alternativeTexts } from "./alternatives.ts";
import { priceAlternative } from "./price-alternative.ts";

function programOf(name: string): string {
  return examples.find((example) => example.name === name)?.program ?? "";
}

/** Labels of the texts that are cheaper overall, cheapest first. */
function cheaper(source: string, index: number): readonly string[] {
  const compiled = compile(source);
  const tensor = compiled.program.redistributions[index]?.tensor;
  if (tensor === undefined) return [];
  return alternativeTexts(source, index)
    .flatMap(({ label, source: text }) => {
      const weight = priceAlternative(text, tensor);
      return weight === undefined || weight.seconds >= compiled.cost.seconds
        ? []
        : [{ label, seconds: weight.seconds }];
    })
    .sort((a, b) => a.seconds - b.seconds)
    .map(({ label }) => label);
}

test.each`
  example                | index | labels
  ${"two-matmuls"}       | ${0}  | ${["Cut y: k over mp", "Leave f of h whole"]}
  ${"mindspore-net"}     | ${0}  | ${["Cut z: m over d0, leave n whole", "Leave m of y whole"]}
  ${"two-d-weights"}     | ${1}  | ${["Place w_in as [k, n@Y]"]}
  ${"transformer-stack"} | ${3}  | ${[]}
  ${"fsdp"}              | ${2}  | ${["Cut y: k over dp, leave m whole"]}
  ${"forbidden-axis"}    | ${0}  | ${["Cut C: k over x, leave i whole"]}
`("what is cheaper than redistribution $index of $example is $labels", (row) => {
  const source = programOf(row.example).replace(/train\((.*)\)/u, 'train($1, overlap="none")');
  expect(cheaper(source, row.index)).toEqual(row.labels);
});

test("a partial sum that a linear operator reads may be carried through it", () => {
  const source = programOf("carry").replace('strategy(s, carry="mp")\n', "");
  const labels = alternativeTexts(source, 0).map(({ label }) => label);
  expect(labels).toContain("Carry the sums over mp through s");
});

test("an operator's own call takes the carried axes as an argument", () => {
  const source = programOf("carry").replace('strategy(y, carry="mp")', "strategy(y)");
  const carried = alternativeTexts(source, 0).find(({ label }) => label.startsWith("Carry"));
  expect(carried?.source).toBe(programOf("carry"));
});

test("a text changes where the strategy stands, and only there", () => {
  const source = programOf("two-matmuls");
  const [first] = alternativeTexts(source, 0);
  expect(first?.source).toBe(source.replace('strategy(y, b="dp")', 'strategy(y, b="dp", k="mp")'));
});

test("a redistribution that does not exist has no alternatives", () => {
  expect(alternativeTexts(programOf("two-matmuls"), 7)).toEqual([]);
});

test("a text with errors has no weight", () => {
  const source = programOf("two-matmuls");
  const tensor = compile(source).program.redistributions[0]?.tensor;
  if (tensor === undefined) throw new Error("no redistribution");
  expect(priceAlternative(source.replace('"dp"', '"nope"'), tensor)).toBeUndefined();
});
