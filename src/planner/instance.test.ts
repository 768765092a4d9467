import fc from "fast-check";
import { expect, test } from "vitest";
import { solveInstance } from "./instance.ts";
import type { Instance } from "./instance-problem.ts";
import { memoryOf, parseMemoryFormula } from "./memory-formula.ts";

function formula(text: string) {
  const parsed = parseMemoryFormula(text);
  if (!parsed.ok) throw new Error(parsed.diagnostics[0]?.message);
  return parsed.value;
}

test.each`
  text                                      | bytes
  ${"persistent"}                           | ${3}
  ${"persistent + max(saved, optimizer)"}   | ${10}
  ${"2 * (persistent + saved) + optimizer"} | ${23}
  ${"max(1.5, 0) * persistent"}             | ${4.5}
`("$text is $bytes", ({ text, bytes }) => {
  const sums: Readonly<Record<string, number>> = { persistent: 3, saved: 5, optimizer: 7 };
  expect(memoryOf(formula(text), (name) => sums[name] ?? 0)).toBe(bytes);
});

test.each(["", "a +", "max(a", "a - b", "a b"])('"%s" is no formula', (text) => {
  const [fault] = parseMemoryFormula(text).diagnostics;
  expect(fault?.code).toBe("planner/memory-formula");
});

const amounts = fc.nat(9);
const memory = fc.record({ persistent: amounts, saved: amounts, optimizer: amounts });
const nodes = fc.array(
  fc.array(fc.record({ seconds: fc.nat(20), memory }), { minLength: 1, maxLength: 3 }),
  { minLength: 1, maxLength: 5 },
);
const given = fc.record({ nodes, costs: fc.array(fc.nat(9), { minLength: 9 }), limit: fc.nat(60) });
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

/** Every node beside its neighbour, and the first beside the last. */
function instanceOf({ nodes: lists, costs }: Given): Instance {
  const pairs = lists.flatMap((_, at) => (at === 0 ? [] : [[at - 1, at] as const]));
  const ends = lists.length > 2 ? [[0, lists.length - 1] as const] : [];
  return {
    nodes: lists.map((list, at) => ({
      name: `n${at}`,
      seconds: list.map(({ seconds }) => seconds),
      memory: list.map((each) => each.memory),
    })),
    edges: [...pairs, ...ends].map(([from, to]) => ({
      from,
      to,
      seconds: (lists[from] ?? []).map((_, row) =>
        (lists[to] ?? []).map((__, column) => costs[(from + 3 * row + column) % costs.length] ?? 0),
      ),
    })),
    memory: formula("persistent + max(saved, optimizer)"),
  };
}

function weigh({ nodes: list, edges, memory: total }: Instance, plan: readonly number[]) {
  const own = list.reduce((sum, node, at) => sum + (node.seconds[plan[at] ?? 0] ?? 0), 0);
  const between = edges.reduce(
    (sum, { from, to, seconds }) => sum + (seconds[plan[from] ?? 0]?.[plan[to] ?? 0] ?? 0),
    0,
  );
  const sumOf = (name: string) =>
    list.reduce((sum, node, at) => sum + (node.memory[plan[at] ?? 0]?.[name] ?? 0), 0);
  return { seconds: own + between, memory: memoryOf(total, sumOf) };
}

test("no plan of an instance within its limit is quicker than the one found", () => {
  const seen = { found: 0, "too-large": 0, impossible: 0 };
  const check = (each: Given) => {
    const instance = instanceOf(each);
    const plans = instance.nodes.reduce<readonly (readonly number[])[]>(
      (all, { seconds }) => all.flatMap((plan) => seconds.map((_, at) => [...plan, at])),
      [[]],
    );
    const weights = plans.map((plan) => weigh(instance, plan));
    const fitting = weights.filter((weight) => weight.memory <= each.limit);
    const outcome = solveInstance(instance, each.limit);
    seen[outcome.kind] += 1;
    if (outcome.kind === "found") {
      expect(outcome.seconds).toBe(Math.min(...fitting.map(({ seconds }) => seconds)));
      expect(weigh(instance, outcome.choices)).toEqual({
        seconds: outcome.seconds,
        memory: outcome.memory,
      });
    } else if (outcome.kind === "too-large") {
      expect(fitting).toEqual([]);
      expect(outcome.minimum).toBe(Math.min(...weights.map((weight) => weight.memory)));
    }
  };
  fc.assert(fc.property(given, check), { seed: 3, numRuns: 200 });
  expect(Math.min(seen.found, seen["too-large"])).toBeGreaterThan(20);
});

test("[planner §1.4] a partial plan is not judged by a total that contains a maximum", () => {
  const instance: Instance = {
    nodes: [
      {
        name: "op0",
        seconds: [1, 2],
        memory: [
          { persistent: 10, optimizer: 10 },
          { persistent: 11, saved: 10 },
        ],
      },
      { name: "op1", seconds: [1], memory: [{ optimizer: 10 }] },
    ],
    edges: [{ from: 0, to: 1, seconds: [[0], [0]] }],
    memory: formula("persistent + max(saved, optimizer)"),
  };
  expect(solveInstance(instance, 25)).toMatchObject({ choices: [1, 0], memory: 21 });
  expect(solveInstance(instance, 20)).toEqual({ kind: "too-large", minimum: 21 });
});
