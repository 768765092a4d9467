import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Compiled, compile } from "#compile";
import { type TensorId, tensorId } from "#core/ir";
import { applyGesture, type DimGesture, type Gesture } from "#edit";
import { blocksOf } from "./canvas-blocks.ts";
import { extendToEqualBlocks } from "./equal-blocks.ts";
import {
  cellStack,
  foldedExamples,
  layeredProgram,
  policyStack,
  torchStack,
} from "./folded-programs.testing.ts";

const tuples = cellStack("((2, 1), (1, 4))");
const layouts = cellStack('(layout("dp", "None"), layout("None", "mp"))');

/** `split blocks[0].h 1 tp` as a gesture. */
function gestureOf(text: string): DimGesture {
  const [kind = "", tensor = "", dim = "0", axis] = text.split(" ");
  const target = { tensor: tensorId(tensor), dim: Number(dim) };
  if (kind === "whole") return { kind, ...target };
  if (kind !== "split" && kind !== "move" && kind !== "unsplit") throw new Error(kind);
  return { kind, ...target, ...(axis !== undefined && { axis }) };
}

/** The label and the new lines of a gesture made in all equal blocks at once. */
function written(source: string, gesture: Gesture, single: readonly string[] = []): string {
  const outcome = applyGesture(source, extendToEqualBlocks(compile(source), gesture, single));
  if (!outcome.ok) return outcome.reason;
  const before = new Set(source.split("\n"));
  const lines = outcome.source.split("\n").filter((line) => !before.has(line));
  return [outcome.label, ...lines.map((line) => line.trim())].join("\n");
}

function edited(source: string, ...gestures: readonly string[]): string {
  let text = source;
  for (const each of gestures) {
    const outcome = applyGesture(text, extendToEqualBlocks(compile(text), gestureOf(each)));
    if (!outcome.ok) throw new Error(outcome.reason);
    text = outcome.source;
  }
  return text;
}

test.each`
  of           | source         | gesture                             | says
  ${"native"}  | ${torchStack}  | ${"split blocks[0].h 1 tp"}         | ${'Split blocks[*].h.n over tp ×12\nstrategy("blocks[*].h", n="tp")'}
  ${"native"}  | ${torchStack}  | ${"split blocks[7].h 0 dp"}         | ${'Split blocks[*].h.a over dp ×12\nstrategy("blocks[*].h", a="dp")'}
  ${"native"}  | ${torchStack}  | ${"split blocks[0].up.weight 0 tp"} | ${'Split blocks[*].up.weight.n over tp ×12\nplace("blocks[*].up.weight", layout("tp", "None"))'}
  ${"tuples"}  | ${tuples}      | ${"move blocks[0].w 0 mp"}          | ${"Move mp to blocks[*].w.k ×6\nself.matmul = ops.MatMul().shard(((2, 4), (4, 1)))"}
  ${"layouts"} | ${layouts}     | ${"whole blocks[0].w 1"}            | ${'Make blocks[*].w.n whole ×6\nself.matmul = ops.MatMul().shard((layout("dp", "None"), layout("None", "None")))'}
  ${"policy"}  | ${policyStack} | ${"move layers[0].w 1 gpus"}        | ${"Move gpus to layers[*].w.n ×6\ngraph.partition(node, node.algorithm('dim'), idx=1, dim=1, num=4)"}
`("in words of $of, $gesture is one edit for all equal blocks", ({ source, gesture, says }) => {
  expect(written(source, gestureOf(gesture))).toBe(says);
});

describe("a second gesture", () => {
  const split = edited(torchStack, "split blocks[0].h 1 tp");

  test("changes the line that speaks of all, which is one line still", () => {
    expect(written(split, gestureOf("split blocks[3].h 0 dp"))).toBe(
      'Split blocks[*].h.a over dp ×12\nstrategy("blocks[*].h", n="tp", a="dp")',
    );
    expect(written(split, gestureOf("unsplit blocks[0].h 1 tp"))).toBe(
      'Take tp off blocks[*].h.n ×12\nstrategy("blocks[*].h")',
    );
  });

  test("in a block that is changed alone has a line of its own, and leaves the others", () => {
    const key = blocksOf(compile(split))[0]?.runs[0]?.key ?? "";
    expect(written(split, gestureOf("unsplit blocks[0].h 1 tp"), [key])).toBe(
      'Take tp off blocks[0].h.n\nstrategy("blocks[0].h")',
    );
  });

  test("leaves a block alone of which the text says something else", () => {
    const alone = `${split}strategy("blocks[0].h", a="dp")\n`;
    expect(written(alone, gestureOf("split blocks[1].h 0 dp"))).toBe(
      'Split blocks[*].h.a over dp ×11\nstrategy("blocks[*].h", n="tp", a="dp")',
    );
    expect(written(alone, gestureOf("split blocks[0].h 1 tp"))).toBe(
      'Split blocks[0].h.n over tp\nstrategy("blocks[0].h", a="dp", n="tp")',
    );
  });

  test("changes lines of their own where each block has one", () => {
    const lines = Array.from({ length: 12 }, (_, at) => `strategy("blocks[${at}].h", n="tp")`);
    const own = `${torchStack}${lines.join("\n")}\n`;
    const changed = edited(own, "split blocks[0].h 0 dp");
    expect(changed).toBe(own.replaceAll('n="tp")', 'n="tp", a="dp")'));
  });

  test("changes the line of a loop for all, and in a block alone adds a line", () => {
    const loop = `${torchStack}for i in range(12):\n    strategy(f"blocks[{i}].h", n="tp")\n`;
    expect(written(loop, gestureOf("split blocks[0].h 0 dp"))).toBe(
      'Split blocks[*].h.a over dp ×12\nstrategy(f"blocks[{i}].h", n="tp", a="dp")',
    );
    expect(written(loop, gestureOf("split blocks[0].h 0 dp"), ["blocks[0].h"])).toBe(
      'Split blocks[0].h.a over dp\nstrategy("blocks[0].h", n="tp", a="dp")',
    );
  });
});

test("pins and unpins all equal blocks in one line", () => {
  const pin = { kind: "pin", name: "blocks[2].h" } as const;
  expect(written(torchStack, { ...pin, isPinned: true })).toBe(
    'Pin blocks[*].h ×12\npin("blocks[*].h")',
  );
  const pinned = `${torchStack}pin("blocks[*].h")\n`;
  expect(written(pinned, { ...pin, isPinned: false })).toBe("Unpin blocks[*].h ×12");
  expect(written(pinned, { ...pin, isPinned: false }, ["blocks[2].h"])).toBe(
    '"blocks[2].h" is pinned together with others: "blocks[*].h"',
  );
  const some = `${torchStack}pin("blocks[0].h", "blocks[1].h", x)\n`;
  expect(written(some, { ...pin, name: "blocks[0].h", isPinned: false })).toBe(
    "Unpin blocks[*].h ×12\npin(x)",
  );
});

test("chooses the steps of a redistribution in all equal blocks", () => {
  const split = edited(torchStack, "split blocks[0].up.weight 0 tp", "split x 0 dp");
  const { program } = compile(split);
  const [run] = blocksOf(compile(split))[0]?.runs ?? [];
  const [redistribution = -1] = run?.redistributions ?? [];
  const tensor = program.redistributions[redistribution]?.tensor ?? "";
  const pattern = tensor.replace("[0]", "[*]");
  expect(written(split, { kind: "choose-steps", redistribution, steps: "dtensor" })).toBe(
    `Redistribute ${pattern} ×12 as DTensor does\nreshard("${pattern}", steps="dtensor")`,
  );
});

/** Programs drawn with folded blocks, in the notation of every system that has gestures. */
const programs = [torchStack, tuples, layouts, policyStack, ...foldedExamples];

/** The tensors of the first run of each block, as gestures address them. */
function heldOnce(compiled: Compiled): readonly TensorId[] {
  return blocksOf(compiled).flatMap(({ runs: [run] }) =>
    run === undefined ? [] : [...run.made, ...run.parameters],
  );
}

function axesOf(compiled: Compiled, tensor: TensorId, dim: number): readonly string[] {
  const { layout, atRest } = compiled.tensors.find((each) => each.tensor === tensor) ?? {};
  const placed = compiled.plan.placements.get(tensor);
  const state = placed?.status === "set" ? placed.layout : (layout ?? atRest);
  return (state?.dims[dim]?.parts ?? []).flatMap((part) =>
    part.kind === "axis" ? [part.axis] : [],
  );
}

const draws = fc.record({
  program: fc.oneof(
    fc.constantFrom(...programs),
    fc
      .record({
        blocks: fc.integer({ min: 5, max: 8 }),
        layers: fc.array(fc.nat(2), { minLength: 2, maxLength: 5 }),
      })
      .map(({ blocks, layers }) => layeredProgram(blocks, layers)),
  ),
  tensor: fc.nat(1_000),
  dim: fc.nat(3),
  axis: fc.nat(3),
  kind: fc.constantFrom("split", "move", "unsplit", "whole"),
});

test("what is drawn once is cut as often as it stands for, and stays one block", () => {
  let [done, refused] = [0, 0];
  fc.assert(
    fc.property(draws, ({ program, tensor, dim, axis, kind }) => {
      const before = compile(program);
      const held = heldOnce(before);
      const chosen = held[tensor % held.length] ?? tensorId("");
      const rank = before.graph.tensors.find(({ id }) => id === chosen)?.shape.length ?? 1;
      const { axes } = before.mesh.mesh;
      const name = axes[axis % axes.length]?.name ?? "";
      const gesture = gestureOf(`${kind} ${chosen} ${dim % rank} ${name}`);
      const all = extendToEqualBlocks(before, gesture);
      const others = "tensor" in all ? (all.alike ?? []) : [];
      const members = [chosen, ...others.map((each) => each.tensor)];
      const block = blocksOf(before).find(({ runs: [run] }) =>
        [...(run?.made ?? []), ...(run?.parameters ?? [])].includes(chosen),
      );
      expect(members.length).toBe(block?.alike.length);
      const outcome = applyGesture(program, all);
      if (!outcome.ok) {
        refused += 1;
        return;
      }
      done += 1;
      const then = compile(outcome.source);
      const cut = members.map((each) => axesOf(then, each, gesture.dim).join());
      expect(new Set(cut).size).toBe(1);
      const counts = blocksOf(then).map(({ alike }) => alike.length);
      expect(counts).toContain(members.length);
    }),
    { seed: 5, numRuns: process.env.SOAK ? 1_000 : 30 },
  );
  expect(done).toBeGreaterThan(7);
  expect(refused).toBeGreaterThan(0);
});
