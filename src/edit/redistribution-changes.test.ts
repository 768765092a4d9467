import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import { applyEdits } from "#core/diagnostics";
import { readDocument } from "#systems";
import { redistributionChanges } from "./redistribution-changes.ts";

const mlp = (rest: string) => `mesh = Mesh(dp=2, mp=4)
x = Tensor((8, 16))
w = Parameter((16, 32))
h = matmul(x, w)
y = gelu(h)
${rest}`;

/** Changes at the first redistribution, each with the lines that it adds or changes. */
function changesOf(text: string): readonly string[] {
  const document = readDocument(text);
  const compiled = compileDocument(document);
  const [first] = compiled.program.redistributions;
  if (first === undefined) return [];
  const before = new Set(text.split("\n"));
  return redistributionChanges(document, compiled, first).map(({ label, edits }) => {
    const lines = applyEdits(text, edits).split("\n");
    return `${label} → ${lines.filter((line) => !before.has(line)).join("; ")}`;
  });
}

test.each`
  rest                                            | change
  ${'strategy(h, n="mp")\nstrategy(y, a="dp")\n'} | ${'Split both sides: cut y: b over mp, leave a whole → strategy(y, b="mp")'}
  ${'strategy(h, n="mp")\nstrategy(y, a="dp")\n'} | ${'Gather h over mp: place it as [m, n] → place(h, layout("None", "None"))'}
  ${'strategy(h, k="mp")\nstrategy(y)\n'}         | ${'Use reduce-scatter: place h as [m@mp, n] → place(h, layout("mp", "None"))'}
`("$rest offers $change", ({ rest, change }) => {
  expect(changesOf(mlp(rest))).toContain(change);
});

test("every change is another text", () => {
  const changes = changesOf(mlp('strategy(h, n="mp")\nstrategy(y, a="dp")\n'));
  expect(new Set(changes).size).toBe(changes.length);
  expect(changes.length).toBeGreaterThan(3);
});
