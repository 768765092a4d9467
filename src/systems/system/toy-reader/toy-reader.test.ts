import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { System } from "#systems/system";

let planAnswer: typeof import("../../../cli/commands/plan.ts").planAnswer;
let exportAnswer: typeof import("../../../cli/commands/export.ts").exportAnswer;

// A module graph of its own, whose list of systems has one more line for the reader.
beforeAll(async () => {
  vi.resetModules();
  const { systems } = await import("../../systems.ts");
  (systems as System[]).unshift((await import("./toy-reader.testing.ts")).toyReader);
  ({ planAnswer } = await import("../../../cli/commands/plan.ts"));
  ({ exportAnswer } = await import("../../../cli/commands/export.ts"));
}, 60_000);

afterAll(() => {
  vi.resetModules();
});

const program = JSON.stringify({
  toy: { x: [8, 16], w: [16, 32], v: [32, 16] },
  matmuls: [
    ["h", "x", "w"],
    ["y", "h", "v"],
  ],
});
const plan = `mesh = Mesh(dp=2, mp=2)
strategy("h", m="dp", n="mp")
strategy("y", m="dp", k="mp")
`;
const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w = Parameter((16, 32))
v = Parameter((32, 16))
h = matmul(x, w)
y = matmul(h, v)
strategy(h, m="dp", n="mp")
strategy(y, m="dp", k="mp")
`;

/** How a program runs and what it costs, without parts that depend on its text. */
function ran({ steps, cost, tensors }: Readonly<Record<string, unknown>>) {
  return JSON.parse(
    JSON.stringify({ steps, cost, tensors }, (key, value) =>
      ["span", "line", "column", "shape_status"].includes(key) ? undefined : value,
    ),
  );
}

test("a graph and the plan beside it are planned as the program that says the same", () => {
  const read = planAnswer({ program, planText: plan });
  expect(read).toMatchObject({ ok: true, diagnostics: [] });
  const same = ran(planAnswer({ program: text }));
  expect(same.steps).toHaveLength(3);
  expect(ran(read)).toEqual(same);
});

test("what does not fit is said, and the rest stands", () => {
  const wrong = program.replace('["y","h","v"]', '["z","h","none"],["y","h","w"]');
  const { ok, diagnostics, operators } = planAnswer({ program: wrong, planText: plan });
  expect(ok).toBe(false);
  expect(diagnostics.map(({ message }) => message).join("\n")).toContain('reads "none"');
  expect(diagnostics.length).toBeGreaterThan(1);
  expect((operators as readonly { name: string }[]).map(({ name }) => name)).toEqual(["h"]);
  expect(planAnswer({ program: '{"toy": ' }).ok).toBe(false);
});

test("a graph that is only read leaves in a format that is written, and in no other", () => {
  const answer = exportAnswer({ program, planText: plan, to: "loom" });
  expect(answer).toMatchObject({ ok: true });
  const [file] = answer.files as readonly { readonly text: string }[];
  expect(file?.text).toContain('"kernel"');
  expect(exportAnswer({ program, planText: plan, to: "toy-graph" }).ok).toBe(false);
});

test("it takes a hundred lines at most", () => {
  const source = readFileSync(new URL("./toy-reader.testing.ts", import.meta.url), "utf8");
  expect(source.trimEnd().split("\n").length).toBeLessThanOrEqual(100);
});
