import fc from "fast-check";
import { expect, test } from "vitest";
import { compile, createDocumentCompiler } from "#compile";
import { readDocument } from "#systems";
import { layoutGraph } from "./layout-graph.ts";
import { createLayouter } from "./layouter.ts";
import { runs } from "./layouts.testing.ts";

const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8))
y = matmul(x, Parameter((8, 8)))
strategy(y, m="dp")
z = matmul(y, Parameter((8, 8)))
strategy(z, m="mp")
`;

test("a version that draws the same gets the same layout", () => {
  const layOut = createLayouter();
  const first = layOut(compile(text), []);
  expect(layOut(compile(`# above\n${text}`), [])).toBe(first);
  expect(first).toEqual(layoutGraph(compile(text)));
});

test("another version gets its own layout, with the boxes that stand where they stood", () => {
  const layOut = createLayouter();
  const first = layOut(compile(text), []);
  const other = compile(text.replace('z, m="mp"', 'z, n="mp"'));
  const second = layOut(other, []);
  expect(second).toEqual(layoutGraph(other));
  const nodeIn = (layout: typeof first) => layout.nodes.find(({ id }) => id === "operator-y");
  expect(nodeIn(second)).toBe(nodeIn(first));
});

/** A program of equal layers, with or without branches, and strategies of some operators. */
interface Version {
  readonly layers: number;
  readonly hasBranch: boolean;
  readonly strategies: readonly (readonly [name: string, cuts: string])[];
  /** Indices of the open runs of its blocks. */
  readonly open: readonly number[];
}

const versions: fc.Arbitrary<Version> = fc.record({
  layers: fc.constantFrom(3, 4),
  hasBranch: fc.boolean(),
  strategies: fc.array(
    fc.tuple(
      fc.constantFrom("layers[*].q", "layers[*].k", "layers[1].o", "layers[2].q", "y"),
      fc.constantFrom('m="dp"', 'm="dp", n="tp"', 'k="tp"', 'n="dp"', 'm="tp", k="dp"'),
    ),
    { maxLength: 3 },
  ),
  open: fc.subarray([0, 1, 2]),
});

function textOf({ layers, hasBranch, strategies }: Version): string {
  return `mesh = Mesh(dp=2, tp=2)
def layers(x):
    q = matmul(x, Parameter((16, 16), "bf16"))
    k = matmul(${hasBranch ? "x" : "q"}, Parameter((16, 16), "bf16"))
    o = add(q, k)
    return o
x = Tensor((8, 16), "bf16")
for i in range(${layers}):
    x = layers(x)
y = matmul(x, Parameter((16, 8), "bf16"))
${strategies.map(([name, cuts]) => `strategy("${name}", ${cuts})\n`).join("")}`;
}

test("whatever was laid out before, a version gets the layout that it would get alone", () => {
  fc.assert(
    fc.property(fc.array(versions, { minLength: 2, maxLength: 6 }), (all) => {
      const [compileNext, layOut] = [createDocumentCompiler(), createLayouter()];
      for (const version of all) {
        const text = textOf(version);
        const fresh = compile(text);
        const keys = layoutGraph(fresh).nodes.flatMap((node) =>
          node.kind === "stack" ? node.stack.runs.map(({ key }) => key) : [],
        );
        const open = version.open.flatMap((at) => keys[at] ?? []);
        expect(layOut(compileNext(readDocument(text)), open)).toEqual(
          layoutGraph(fresh, new Set(open)),
        );
      }
    }),
    runs(12),
  );
});
