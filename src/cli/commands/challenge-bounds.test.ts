import fc from "fast-check";
import { expect, test } from "vitest";
import { challenges, gradeOf, lessonOf, scoreOf, worldOf } from "#app/lessons";
import { compile } from "#compile";
import { deviceCount } from "#core/mesh";
import { lessonAnswer } from "./lesson.ts";
import { optimizeAnswer } from "./optimize.ts";

const textOf = (id: string, name: string) => lessonOf(id)?.texts[name] ?? "";

/** A text without its plan statements, which a search may choose. */
const bare = (text: string) =>
  text
    .split("\n")
    .filter((line) => !/^(?:strategy|place)\(/.test(line))
    .join("\n");

/** Lower bound in seconds on every plan, as a search under a challenge's constraints proves it. */
function boundOf(program: string, rest: object = {}): number {
  const { ok, bound } = optimizeAnswer({ program, ...rest });
  if (!ok || typeof bound !== "number") throw new Error("the search gives no bound");
  return Number(bound.toPrecision(12));
}

/**
 * Seconds in which all devices at peak speed do the model's operations. A training step's
 * communication overlaps its work, so a search proves no more than this.
 */
function workOf({ modelFlops, hardware, mesh }: ReturnType<typeof compile>): number {
  const { forward, passes } = modelFlops;
  return Number(((forward * passes) / (hardware.flops * deviceCount(mesh.mesh))).toPrecision(12));
}

const bounds = {
  "challenge-limit": () => {
    const solved = textOf("challenge-limit", "solved");
    const memoryLimit = Math.ceil(1.03 * compile(solved).memory.peakBytes);
    return boundOf(bare(solved), { memoryLimit, outputs: { y: "tp,_" } });
  },
  "challenge-layer": () => workOf(compile(textOf("challenge-layer", "solved"))),
  "challenge-meshes": () => workOf(compile(textOf("challenge-meshes", "joined"))),
};

test("the bounds that challenges keep are those that a search or their work proves", async () => {
  const found = Object.fromEntries(Object.entries(bounds).map(([id, bound]) => [id, bound()]));
  await expect(`${JSON.stringify(found, null, 2)}\n`).toMatchFileSnapshot(
    "../../app/lessons/chapters/challenge-bounds.json",
  );
});

test("the best known plan of each challenge has three stars, and is proven where its gap is 0", () => {
  const scores = challenges.map(({ id, texts, steps }) => {
    const act = steps.find((step) => step.act !== undefined)?.act;
    const { steps: rows } = lessonAnswer({ name: id, program: texts[act?.solution ?? ""] });
    return { id, rows };
  });
  const proven = { score: expect.objectContaining({ stars: 3, score: 1, proven: true }) };
  const open = { score: expect.objectContaining({ stars: 3, proven: false }) };
  expect(scores).toEqual(
    [
      ["challenge-limit", proven],
      ["challenge-layer", open],
      ["challenge-reshard", proven],
      ["challenge-meshes", open],
      ["challenge-fewest", open],
    ].map(([id, row]) => ({ id, rows: [expect.objectContaining(row)] })),
  );
});

test("a plan that meets a challenge is scored, one that does not has no score", () => {
  const rowOf = (program: string) => {
    const { steps } = lessonAnswer({ name: "challenge-limit", program });
    return Array.isArray(steps) ? steps[0] : undefined;
  };
  const solved = textOf("challenge-limit", "solved");
  const slower = rowOf(`${solved}strategy(a, b=())\n`);
  expect(slower).toMatchObject({ met: false });
  expect(slower).not.toHaveProperty("score");
  const gathered = rowOf(solved.replace('strategy(y, k="tp")', 'strategy(y, m="tp")'));
  expect(gathered).toMatchObject({ met: false });
  const detour = rowOf(`${solved}strategy(a, a="tp")\n`);
  expect(detour).toMatchObject({ met: true, score: { stars: 1, proven: false } });
});

/** Plan lines: each operator or tensor with its dims, each dim cut by some of the axes. */
function planLines(
  calls: Readonly<Record<string, readonly string[]>>,
  axes: readonly string[],
): fc.Arbitrary<string> {
  const cut = (dims: readonly string[]) =>
    fc.array(fc.constantFrom(...dims, ""), { minLength: axes.length, maxLength: axes.length });
  const lines = Object.entries(calls).map(([name, dims]) =>
    fc.tuple(fc.boolean(), cut(dims)).map(([isThere, by]) => {
      const parts = dims.map((dim) => axes.filter((_, at) => by[at] === dim));
      const words = parts.map((own) => own.map((axis) => `"${axis}"`).join(", "));
      const isPlace = /^[0-9]/u.test(dims[0] ?? "");
      const placed = words.map((each) => (each === "" ? "None" : `(${each},)`)).join(", ");
      if (isPlace) return isThere ? `place(${name}, layout(${placed}))\n` : "";
      const cuts = dims.flatMap((dim, at) => (words[at] === "" ? [] : [`${dim}=(${words[at]},)`]));
      return isThere && cuts.length > 0 ? `strategy(${name}, ${cuts.join(", ")})\n` : "";
    }),
  );
  return fc.tuple(...lines).map((all) => all.join(""));
}

const matmul = ["m", "n", "k"];
const mlp = { h: matmul, a: ["a", "b"], y: matmul };
const chain = { i: ["a", "b"], tmp: matmul, out: matmul, z: ["a", "b"] };
/** Placements prescribed by the goal of a challenge. */
const given = {
  "challenge-limit": 'place(y, layout("tp", "None"))\n',
  "challenge-meshes": "",
  "challenge-fewest": 'place(w_in, layout("X", "Y"))\nplace(w_out, layout("Y", "X"))\n',
};
const tensors = { x: ["0", "1"], w1: ["0", "1"], w2: ["0", "1"] };

test.each([
  ["challenge-limit", "solved", { ...mlp, ...tensors }, ["tp"], 120],
  ["challenge-meshes", "wide", { ...mlp, ...tensors }, ["dp", "tp"], 60],
  ["challenge-meshes", "square", { ...mlp, ...tensors }, ["dp", "tp"], 60],
  ["challenge-fewest", "solved", { ...chain, x: ["0", "1"], s: ["0"] }, ["X", "Y"], 80],
] as const)("no plan of %s, %s, goes below its bound", (id, name, calls, axes, numRuns) => {
  const rest = given[id];
  const lesson = lessonOf(id);
  const at = lesson?.steps.findIndex(({ act }) => act !== undefined) ?? 0;
  const act = lesson?.steps[at]?.act;
  if (lesson === undefined || act === undefined) throw new Error("no such challenge");
  const texts = new Map(Object.entries(lesson.texts).map(([each, text]) => [each, compile(text)]));
  let met = 0;
  fc.assert(
    fc.property(planLines(calls, axes), (plan) => {
      const compiled = compile(`${bare(textOf(id, name))}${plan}${rest}`);
      const world = worldOf(lesson, at, texts, { compiled });
      if (world === undefined || !gradeOf(act, world).isMet) return;
      met += 1;
      expect(scoreOf(act, world)?.isBelowBound).toBe(false);
    }),
    { seed: 44, numRuns },
  );
  expect(met).toBeGreaterThan(0);
});
