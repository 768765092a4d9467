import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { type Compiled, compile } from "#compile";
import { layoutGraph } from "./layout-graph.ts";
import { edgeRanges } from "./selected-ranges.ts";

function compiledOf(name: string): Compiled {
  const { program, plan = "" } = examples.find((each) => each.name === name) ?? { program: "" };
  return compile(program, { planText: plan });
}

test("every edge of a card bears the range of its selection", () => {
  const written = (name: string) =>
    layoutGraph(compiledOf(name))
      .edges.filter(({ range }) => range !== undefined)
      .map(({ tensor, range }) => `${tensor} ${range}`)
      .sort();
  expect(written("loom-convolution")).toEqual([
    "filter zr[0:3, 0:3]",
    "image zr[0:33, 0:33]",
    "response zr[0:16, 0:16]",
  ]);
  expect(written("loom-expression")).toEqual([
    "mask zr[0:10, 0:5]",
    "t0 zr[0:10, 0:5]",
    "t1 zr[200:210, 50:55]",
    "z0 zr[0:10, 0:5]",
  ]);
});

test("in a large graph whole tensors are said quietly, parts aloud, in a program nothing is", () => {
  const { imported } = compiledOf("loom-convolution");
  const [operation] = imported?.operations ?? [];
  if (imported === undefined || operation === undefined) throw new Error("no graph");
  const operations = Array.from({ length: 41 }, () => operation);
  const large = edgeRanges({ imported: { ...imported, operations } });
  const card = `operator-${operation.operator}`;
  const edges = operation.operands.map(({ side, tensor }) => {
    return side === "inputs" ? { from: "", to: card, tensor } : { from: card, to: "", tensor };
  });
  const said = edges.map((edge) => [large.of(edge)?.split(", zr")[0], large.isQuiet(edge)]);
  expect(said).toEqual([
    ["zr[0:3, 0:3]", true],
    ["zr[0:33, 0:33]", false],
    ["zr[0:16, 0:16]", true],
  ]);
  const small = edgeRanges({ imported });
  expect(edges.map((edge) => small.isQuiet(edge))).toEqual([false, false, false]);
  expect(edgeRanges(compile("x = Tensor((8, 4))\ny = relu(x)\n")).inputWidth).toBe(0);
});

test("between a tensor and its card there is room for the range", () => {
  const { nodes, edges } = layoutGraph(compiledOf("loom-convolution"));
  const card = nodes.find(({ kind }) => kind === "operator");
  const edge = edges.find(({ tensor }) => tensor === "image");
  const start = edge?.points.at(-2);
  expect((card?.x ?? 0) - (start?.x ?? 0)).toBeGreaterThan(80);
});

test("a badge on a line hides no range, and a result bears its range once", () => {
  const { nodes, edges } = layoutGraph(compiledOf("loom-split-k"));
  const badge = nodes.find(({ kind }) => kind === "redistribution");
  const ofPart = edges.filter(({ tensor, range }) => tensor === "part" && range !== undefined);
  expect(ofPart.map(({ from, to }) => [from, to])).toEqual([
    [badge?.id, "operator-total"],
    ["operator-partial", "tensor-part"],
  ]);
  const [below] = ofPart;
  expect(below?.rangeAt?.x).toBeGreaterThan((badge?.x ?? 0) + (badge?.width ?? 0));
});
