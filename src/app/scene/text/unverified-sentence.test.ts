import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { deviceGlyphsOf } from "../glyph/device-glyph.ts";
import { type DrawnTensor, drawnIn } from "../glyph/drawn-dims.ts";
import { glyphOf } from "../glyph/glyph.ts";
import { rowsOf } from "../rows.ts";
import { sentenceOf } from "./sentence.ts";
import { unverifiedSentence } from "./unverified-sentence.ts";

/** A program with one MindSpore primitive. */
function program(primitive: string, call: string, given: string): string {
  return `from mindspore import ops, Layout
${given}
f = ${primitive}
y = f(${call})
`;
}

const programs = {
  cross_batch: program(
    'ops.ReduceSum().add_prim_attr("cross_batch", True).shard(((4, 1),))',
    "x, 0",
    "x = Tensor((8, 6))",
  ),
  skip_redistribution: program(
    'ops.Reshape().add_prim_attr("skip_redistribution", True)',
    "ops.ReLU().shard(((4, 1),))(x), (16, 8)",
    "x = Tensor((8, 16))",
  ).concat("z = ops.ReLU().shard(((4, 1),))(y)\n"),
  self_define_shard: program(
    'ops.TensorScatterUpdate().add_prim_attr("self_define_shard", True).shard((l("dp", "mp"), l("None", "None"), l("None", "mp")), (l("dp", "mp"),))',
    "x, i, u",
    'l = Layout((2, 2), ("dp", "mp"))\nx = Tensor((8, 16))\ni = Tensor((4, 1), "int32")\nu = Tensor((4, 16))',
  ),
  manual_split: program(
    'ops.Gather().add_prim_attr("manual_split", (5, 3)).shard(((2, 1), (1, 2)))',
    "x, i, 0",
    'x = Parameter((8, 6))\ni = Tensor((4, 2), "int32")',
  ),
} as const;

type Rule = keyof typeof programs;
const rules = Object.keys(programs) as Rule[];

/** A tensor of a program with the facts that the canvas draws. */
function drawn(source: string, name: string) {
  const compiled = compile(source);
  const tensor = compiled.graph.tensors.find((each) => each.name === name);
  const view = compiled.tensors.find((each) => each.tensor === tensor?.id);
  if (tensor === undefined || view === undefined) throw new Error(`no tensor ${name}`);
  const unverified = view.unverified?.rule;
  const glyph: DrawnTensor = {
    ...drawnIn(compiled, tensor, view.layout),
    ...(unverified !== undefined && { unverified }),
  };
  return { tensor, glyph, unverified, given: view.unverified };
}

const size = { width: 120, height: 90 };
const textsOf = (marks: ReturnType<typeof glyphOf>["marks"]) =>
  marks.flatMap((mark) => (mark.kind === "text" ? [mark.text] : []));

test.each(rules)("a result of %s bears ≠ in every drawing and says why", (rule) => {
  const { glyph, unverified } = drawn(programs[rule], "y");
  expect(unverified).toBe(rule);
  expect(unverifiedSentence(rule)).toMatch(/^As given by \w+: each|^As given by \w+: its layouts/);
  const whole = glyphOf(glyph, size).marks;
  expect(textsOf(whole)).toContain("≠");
  expect(whole.some(({ role }) => role === "broken")).toBe(true);
  expect(whole.some(({ role }) => role === "hatch" || role === "cardEdge")).toBe(false);
  for (const { marks } of deviceGlyphsOf(glyph, size).tiles) expect(textsOf(marks)).toContain("≠");
});

test("what is computed of such a result bears ≠ too, and says of which", () => {
  const { glyph, given } = drawn(programs.skip_redistribution, "z");
  expect(given).toEqual({ rule: "skip_redistribution", tensor: "y" });
  expect(textsOf(glyphOf(glyph, size).marks)).toContain("≠");
  expect(unverifiedSentence("skip_redistribution", "y")).toBe(
    "Computed of y, which is as given by skip_redistribution, so values may differ from the unsharded program.",
  );
});

test("what is not given has no such mark", () => {
  const { glyph, unverified } = drawn(programs.cross_batch, "x");
  expect(unverified).toBeUndefined();
  expect(textsOf(glyphOf(glyph, size).marks)).not.toContain("≠");
});

test("sums of cross_batch are no copies of each other", () => {
  const { glyph, unverified } = drawn(programs.cross_batch, "y");
  const states = (given?: string) => rowsOf(glyph, glyph, given).map(({ state }) => state);
  expect(states(unverified)).toEqual(["own 1 of 4", "own 2 of 4", "own 3 of 4", "own 4 of 4"]);
  expect(states()[0]).toBe("copy 1 of 4");
});

test("unequal pieces of manual_split are drawn and told in their sizes", () => {
  const { tensor, glyph } = drawn(programs.manual_split, "x");
  const rows = rowsOf(glyph, glyph).map(({ ranges }) => ranges[0]?.text);
  expect(new Set(rows)).toEqual(new Set(["0…4", "5…7"]));
  const heights = glyphOf(glyph, size).cells.flatMap(({ areas }) =>
    areas.map(({ height }) => height),
  );
  expect((heights[0] ?? 0) / (heights[1] ?? 1)).toBeCloseTo(5 / 3, 1);
  expect(sentenceOf(tensor, glyph.layout)).toContain("in pieces of 5, 3");
});

test("an interleaved layout gives every device several pieces, in the table and in its tile", () => {
  const source = examples.find(({ name }) => name === "mindspore-interleaved")?.program ?? "";
  const { tensor, glyph } = drawn(source, "x");
  const rows = rowsOf(glyph, glyph);
  expect(rows.map(({ device, piece }) => `${device}.${piece}`)).toEqual(
    [0, 1, 2, 3].flatMap((device) => [`${device}.0`, `${device}.1`]),
  );
  expect(rows.slice(0, 2).map(({ ranges }) => ranges[0]?.text)).toEqual(["0…3", "4…7"]);
  for (const { areas } of deviceGlyphsOf(glyph, size).tiles) {
    const [first, second] = areas;
    expect(areas).toHaveLength(2);
    expect(second?.y ?? 0).toBeGreaterThanOrEqual((first?.y ?? 0) + (first?.height ?? 0) - 0.01);
  }
  expect(sentenceOf(tensor, glyph.layout)).toContain("in 2 pieces on each device");
});

test("pieces of a policy that share a device stand in its tile, in the table and in the sentence", () => {
  const source = `import nnscaler
@nnscaler.register_op('m k+, k+ n -> m n', name='mm')
def mm(x, w): ...
mesh = Mesh(g=4)
x = Tensor((16, 32))
w = Parameter((32, 16))
y = mm(x, w)
def policy(graph, cfg):
    for node in graph.nodes():
        parts = graph.partition(node, node.algorithm('dim'), idx=0, dim=0, num=8)
        for i, piece in enumerate(parts):
            graph.assign(piece, i % 4)
    return graph
`;
  const { tensor, glyph } = drawn(source, "y");
  const rows = rowsOf(glyph, glyph);
  expect(rows.map(({ device, piece, ranges }) => `${device}.${piece} ${ranges[0]?.text}`)).toEqual(
    [0, 1, 2, 3].flatMap((device) =>
      [0, 1].map(
        (piece) => `${device}.${piece} ${8 * piece + 2 * device}…${8 * piece + 2 * device + 1}`,
      ),
    ),
  );
  for (const { areas } of deviceGlyphsOf(glyph, size).tiles) expect(areas).toHaveLength(2);
  expect(sentenceOf(tensor, glyph.layout)).toContain("over g, in 2 pieces on each device");
});
