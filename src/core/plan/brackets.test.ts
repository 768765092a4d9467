import { expect, test } from "vitest";
import { printLayout, wholeAxis } from "#core/mesh";
import { fitting, isCutBehind } from "./brackets.ts";
import { candidateStrategies } from "./candidates.ts";
import { legalStrategy } from "./check.ts";
import { testGraph, testMesh } from "./graph.testing.ts";
import { wantedLayout } from "./projection.ts";

const mesh = testMesh({ dp: 2, tp: 4 });

/** `q` of 8 heads, `k` of 2, each serving 4; cut as its body allows. */
function attention(annotation = "(h r) e, h e -> (h r) e") {
  const { operators } = testGraph({ q: [8, 4], k: [2, 4] }, [
    { result: "y", annotation, inputs: ["q", "k"] },
  ]);
  const [operator] = operators;
  if (operator === undefined) throw new Error("no operator");
  // The annotation freezes the axes behind the first of a bracket; the body does not.
  const axes = annotation.includes("^")
    ? operator.axes
    : operator.axes.map((axis) => ({ ...axis, reduction: "" as const }));
  return { ...operator, axes, inner: [] };
}

const sub = (before: number, size: number) => ({ kind: "axis", axis: "tp", before, size }) as const;

test("an axis behind others in a bracket is cut where those are cut up", () => {
  const operator = attention();
  const strategy = { cuts: { h: [sub(1, 2)], r: [sub(2, 2)] }, carry: [] };
  expect(legalStrategy(operator, strategy)).toBe(strategy);
  const layouts = operator.inputs.map((operand) =>
    printLayout(wantedLayout(operand, { strategy, mesh, status: "set" })),
  );
  expect(layouts).toEqual(["tp,_", "tp:(1)2,_"]);
});

test.each`
  cuts                                  | annotation                     | isCut
  ${{ r: [sub(1, 2)] }}                 | ${"(h r) e, h e -> (h r) e"}   | ${false}
  ${{ h: [sub(1, 2)], r: [sub(2, 2)] }} | ${"(h r) e, h e -> (h r) e"}   | ${true}
  ${{ h: [sub(1, 2)], r: [sub(2, 2)] }} | ${"(h r^) e, h e -> (h r^) e"} | ${false}
  ${{ h: [sub(1, 2)], r: [sub(2, 2)] }} | ${"(h r) e, h e -> (r h) e"}   | ${false}
`("under $cuts r of $annotation is cut: $isCut", ({ cuts, annotation, isCut }) => {
  expect(isCutBehind(attention(annotation), "r", { cuts })).toBe(isCut);
});

test("as the annotation alone has it, nothing behind the first of a bracket is cut", () => {
  const { inner: _, ...operator } = attention();
  expect(isCutBehind(operator, "r", { cuts: { h: [sub(1, 2)], r: [sub(2, 2)] } })).toBe(false);
});

test("queries over more devices than there are key heads keep their cut", () => {
  const layout = (parts: readonly ReturnType<typeof sub>[]) => ({
    mesh,
    dims: [
      { parts, chunks: "flat" as const },
      { parts: [], chunks: "flat" as const },
    ],
    partials: [],
  });
  const held = [layout([sub(1, 4)]), layout([])];
  expect(candidateStrategies(attention(), held).map(({ cuts }) => cuts)).toEqual([
    { h: [sub(1, 2)], r: [sub(2, 2)] },
    { h: [sub(1, 2)] },
    {},
  ]);
});

test.each`
  size | head           | rest
  ${8} | ${[sub(1, 4)]} | ${[]}
  ${2} | ${[sub(1, 2)]} | ${[sub(2, 2)]}
  ${6} | ${[sub(1, 2)]} | ${[sub(2, 2)]}
  ${3} | ${[]}          | ${[sub(1, 4)]}
`("of tp=4, $head cut $size evenly", ({ size, head, rest }) => {
  expect(fitting([wholeAxis(mesh, "tp")], size)).toEqual({ head, rest });
});

test("rows over axes that experts share keep the others", () => {
  const [operator] = testGraph({ x: [8, 8], w: [8, 8] }, [
    { result: "y", annotation: "e c, e n -> e c n", inputs: ["x", "w"] },
  ]).operators;
  if (operator === undefined) throw new Error("no operator");
  const [dp, tp] = [wholeAxis(mesh, "dp"), wholeAxis(mesh, "tp")];
  const flat = { chunks: "flat" as const };
  const held = [
    {
      mesh,
      dims: [
        { parts: [], ...flat },
        { parts: [dp, tp], ...flat },
      ],
      partials: [],
    },
    {
      mesh,
      dims: [
        { parts: [tp], ...flat },
        { parts: [], ...flat },
      ],
      partials: [],
    },
  ];
  const found = candidateStrategies(operator, held).map(({ cuts }) => cuts);
  expect(found).toContainEqual({ e: [tp], c: [dp] });
});
