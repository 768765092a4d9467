import { describe, expect, test } from "vitest";
import { createLanguageService } from "#app/language-service";
import { strategyText } from "#planner";
import type { SplitOption, WaysAsked } from "./plan-protocol.ts";
import { searchPlan } from "./plan-search.ts";
import { weighWays } from "./plan-ways.ts";

const { compile: compileText } = createLanguageService(() => 0);

function waysOf(asked: WaysAsked) {
  const ways: SplitOption[] = [];
  const heard: (readonly [number, number])[] = [];
  const end = weighWays(asked, ({ way, done, total }) => {
    heard.push([done, total]);
    if (way !== undefined) ways.push(way);
  });
  return { ways, heard, end };
}

const pair = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((4096, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 30), "bf16")
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, m="dp")
`;

describe("the ways of an operator", () => {
  const { ways, heard, end } = waysOf({ source: pair, operator: "h" });
  const planned = ways.flatMap(({ text, answer, isNow }) =>
    answer.kind === "planned" ? [{ ...answer, text, isNow }] : [],
  );

  test("come one by one, the best first", () => {
    expect(heard).toEqual([
      [0, ways.length],
      ...ways.map((_, at) => [at + 1, ways.length] as const),
    ]);
    expect(new Set(ways.map(({ text }) => text)).size).toBe(ways.length);
    const best = searchPlan({ source: pair }, () => {});
    if (best.kind !== "planned") throw new Error(best.message);
    expect(planned[0]?.seconds).toBeCloseTo(best.seconds, 12);
    expect(Math.min(...planned.map(({ seconds }) => seconds))).toBeCloseTo(best.seconds, 12);
    expect(planned.filter(({ isNow }) => isNow).map(({ text }) => text)).toEqual(["m over dp"]);
  });

  test("have plans whose texts split it so, and take what is said", () => {
    expect(planned.length).toBeGreaterThan(4);
    for (const [at, way] of planned.entries()) {
      const { source = "", seconds, computeSeconds, communicationSeconds, bytes } = way;
      const { graph, plan, cost, memory } = compileText(source);
      const operator = graph.operators.find(({ name }) => name === "h");
      const split = operator && plan.operators.get(operator.id)?.strategy;
      expect(split && strategyText(split)).toBe(way.text);
      expect(cost.seconds).toBeCloseTo(seconds, 12);
      expect(computeSeconds + communicationSeconds).toBeCloseTo(seconds, 12);
      expect(memory.peakBytes).toBe(bytes);
      expect(source.includes("pin(h)")).toBe(at > 0);
    }
  });

  test("that are taken stand when the text is planned again", () => {
    const other = planned.at(-1);
    const again = searchPlan({ source: other?.source ?? "" }, () => {});
    if (again.kind !== "planned") throw new Error(again.message);
    expect(again.seconds).toBeCloseTo(other?.seconds ?? 0, 12);
  });

  test("leave out what no plan has, with the rule", () => {
    expect(end).toEqual({ kind: "weighed", unavailable: [] });
    const narrow = waysOf({ source: pair, operator: "y" });
    expect(narrow.end).toEqual({
      kind: "weighed",
      unavailable: ["n over tp: 4 does not divide 30"],
    });
  });
});

test("under a limit a way that no plan fits says what it takes at least", () => {
  const free = waysOf({ source: pair, operator: "h" }).ways;
  const bytes = free.flatMap(({ answer }) => (answer.kind === "planned" ? [answer.bytes] : []));
  const limit = (Math.min(...bytes) + Math.max(...bytes)) / 2;
  const { ways } = waysOf({ source: pair, operator: "h", memoryLimit: limit });
  const kinds = ways.map(({ answer }) => answer.kind);
  expect(new Set(kinds)).toEqual(new Set(["planned", "infeasible"]));
  for (const { answer } of ways) {
    if (answer.kind === "planned") expect(answer.bytes).toBeLessThanOrEqual(limit);
    else if (answer.kind === "infeasible") expect(answer.leastBytes).toBeGreaterThan(limit);
  }
});

test("of an operator that is pinned the other ways are weighed too, and other pins stay", () => {
  const { ways } = waysOf({ source: `${pair}pin(h)\npin(y)\n`, operator: "h" });
  expect(ways.length).toBeGreaterThan(4);
  for (const { answer } of ways) {
    if (answer.kind !== "planned") throw new Error(answer.message);
    expect(answer.changes.map(({ name }) => name)).not.toContain("y");
  }
});

test("an operator that is not there is said", () => {
  const { end } = waysOf({ source: pair, operator: "z" });
  expect(end).toEqual({ kind: "refused", message: 'There is no operator "z".' });
});
