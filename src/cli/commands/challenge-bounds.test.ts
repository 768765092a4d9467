import { expect, test } from "vitest";
import { challenges, lessonOf } from "#app/lessons";
import { compile } from "#compile";
import { lessonAnswer } from "./lesson.ts";
import { optimizeAnswer } from "./optimize.ts";

const textOf = (id: string, name: string) => lessonOf(id)?.texts[name] ?? "";

/** A text without its plan: what a search is free to decide. */
const bare = (text: string) =>
  text
    .split("\n")
    .filter((line) => !/^(?:strategy|place)\(/.test(line))
    .join("\n");

/** Seconds that no plan goes below, as a search under the constraints of a challenge proves them. */
function boundOf(program: string, rest: object = {}): number {
  const { ok, bound } = optimizeAnswer({ program, ...rest });
  if (!ok || typeof bound !== "number") throw new Error("the search gives no bound");
  return Number(bound.toPrecision(12));
}

const bounds = {
  "challenge-limit": () => {
    const solved = textOf("challenge-limit", "solved");
    const memoryLimit = Math.ceil(1.03 * compile(solved).memory.peakBytes);
    return boundOf(bare(solved), { memoryLimit, outputs: { y: "tp,_" } });
  },
  "challenge-layer": () => boundOf(bare(textOf("challenge-layer", "solved"))),
  "challenge-meshes": () =>
    Math.min(
      ...["tall", "square", "wide"].map((mesh) => boundOf(bare(textOf("challenge-meshes", mesh)))),
    ),
};

test("the bounds that challenges keep are those that a search proves", async () => {
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
