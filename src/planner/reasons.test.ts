import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseLayout } from "#core/mesh";
import { passedValue } from "../core/mesh/layouts.testing.ts";
import { alternativesOf, comparisonOf, strategyText, unavailableCuts } from "./index.ts";
import { evaluate, networkOf } from "./network.ts";
import { optimize } from "./optimize.ts";
import type { Optimized } from "./optimized.ts";
import type { PlanRequest } from "./problem.ts";
import { type Reason, reasonsOf } from "./reasons.ts";
import { requestOf, type SmallProgram, smallPrograms, textOf } from "./small-programs.testing.ts";
import { orderOf, solve } from "./solve.ts";

function planned(request: PlanRequest): Optimized {
  const outcome = optimize(request);
  if (!outcome.ok) throw new Error(outcome.diagnostic.message);
  return outcome.value;
}

function givenOf({ strategies, layouts }: Optimized) {
  return { strategies, rest: layouts.rest };
}

function reasonFor(request: PlanRequest, name: string): Reason {
  const reasons = reasonsOf(request, givenOf(planned(request)));
  const found = reasons.find(({ operators }) => operators.includes(name));
  if (found === undefined) throw new Error(`no reason for ${name}`);
  return found;
}

test("every operator has its reason, and no rival of a proven plan is faster", () => {
  const seen = { cheaper: 0, "loses-elsewhere": 0, tie: 0 };
  const check = (given: SmallProgram) => {
    const request = requestOf(textOf(given));
    const found = planned(request);
    const reasons = reasonsOf(request, givenOf(found));
    const names = reasons.flatMap(({ operators }) => operators);
    expect(names.toSorted()).toEqual(request.graph.operators.map(({ name }) => name).toSorted());
    for (const { standing, more, replannedMore } of reasons) {
      expect(["cheaper", "loses-elsewhere", "tie", "only"]).toContain(standing);
      expect(replannedMore ?? 0).toBeGreaterThanOrEqual(-1e-9 * found.seconds);
      expect(replannedMore ?? 0).toBeLessThanOrEqual((more?.seconds ?? 0) + 1e-9 * found.seconds);
      if (standing !== "only" && standing in seen) seen[standing as keyof typeof seen] += 1;
    }
  };
  fc.assert(fc.property(smallPrograms, check), { seed: 4, numRuns: 40 });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(3);
});

test("what an alternative takes is what the whole plan takes with it, layouts at rest following", () => {
  const check = (given: SmallProgram) => {
    const request = requestOf(textOf(given));
    const comparison = comparisonOf(request, givenOf(planned(request)));
    const { network, plan, weight } = comparison;
    for (const { id } of request.graph.operators) {
      const [best, ...others] = alternativesOf(comparison, id, 1);
      expect(best?.replannedSeconds).toBeCloseTo(weight.seconds, 15);
      for (const { seconds, difference, isChosen } of others) {
        const { compute, before, behind } = difference;
        expect(seconds).toBeCloseTo(weight.seconds + compute + before + behind, 15);
        expect(seconds).toBeGreaterThanOrEqual(weight.seconds * (1 - 1e-9));
        if (isChosen) expect(seconds).toBeCloseTo(evaluate(network, plan).seconds, 15);
      }
    }
  };
  fc.assert(fc.property(smallPrograms, check), { seed: 6, numRuns: 20 });
});

test("alternatives are sorted, and their replanned totals are those of pinned searches", () => {
  const request = requestOf(
    textOf({
      mesh: "a=2, b=2",
      steps: [
        [0, 0, 1],
        [0, 2, 1],
      ],
      placed: 3,
      trains: true,
    }),
  );
  const comparison = comparisonOf(request, givenOf(planned(request)));
  const [operator] = request.graph.operators;
  if (operator === undefined) throw new Error("no operator");
  const alternatives = alternativesOf(comparison, operator.id, 100);
  const seconds = alternatives.map((each) => each.seconds);
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
  expect(alternatives.filter(({ isChosen }) => isChosen)).toHaveLength(1);
  for (const { strategy, text, replannedSeconds } of alternatives) {
    expect(text).toBe(strategyText(strategy));
    const network = networkOf({ ...request, pins: new Map([[operator.id, strategy]]) });
    const outcome = solve(network, undefined);
    if (outcome.kind !== "found") throw new Error("no plan");
    expect(replannedSeconds).toBeCloseTo(outcome.found.seconds, 15);
  }
});

test("plans of rivals are the same in the order of elimination that is known already", () => {
  const check = (given: SmallProgram) => {
    const network = networkOf(requestOf(textOf(given)));
    const order = orderOf(network);
    expect(order.toSorted((a, b) => a - b)).toEqual([...network.unknowns.keys()]);
    expect(solve(network, undefined, order)).toEqual(solve(network, undefined));
  };
  fc.assert(fc.property(smallPrograms, check), { seed: 8, numRuns: 20 });
});

const words = `import nnscaler
@nnscaler.register_op("m k+, k+ n -> m n")
def mm(x, w): ...
@nnscaler.register_op("m n^ -> m n^")
def soft(x): ...
`;

describe("what decided", () => {
  const program = `${words}
mesh = Mesh(a=2)
x = Tensor((16, 16))
w = Parameter((16, 16))
v = Parameter((16, 16))
place(x, mesh.layout("None", "None"))
place(w, mesh.layout("None", "a"))
h = mm(x, w)
s = soft(h)
`;
  const request = requestOf(program);
  const [h, s] = request.graph.operators;
  if (h === undefined || s === undefined) throw new Error("no operators");

  test("a strategy that loses behind the operator says so", () => {
    const reason = reasonFor(request, "s");
    expect(reason.chosen.cuts).not.toEqual({});
    expect(reason).toMatchObject({ standing: "cheaper" });
    expect(reason.text).toContain("takes longer");
  });

  test("a pin that costs is set against what its operator would do without it", () => {
    const pinned = { ...request, pins: new Map([[s.id, { cuts: {}, carry: [] }]]) };
    const reason = reasonFor(pinned, "s");
    expect(reason).toMatchObject({ standing: "unavailable", operators: ["s"] });
    expect(reason.more?.seconds).toBeLessThan(0);
    expect(reason.text).toContain('"s" is pinned');
  });

  test("a plan that was made by hand may have faster rivals", () => {
    const whole = { cuts: {}, carry: [] };
    const layout = passedValue(parseLayout("_,_", request.mesh));
    const rest = new Map(request.graph.tensors.map(({ id }) => [id, layout]));
    const given = {
      strategies: new Map([
        [h.id, whole],
        [s.id, whole],
      ]),
      rest,
    };
    const reasons = reasonsOf(request, given);
    expect(reasons.map(({ standing }) => standing)).toContain("rival-cheaper");
  });

  test("what cannot be cut says why", () => {
    const comparison = comparisonOf(request, givenOf(planned(request)));
    expect(unavailableCuts(comparison, s.id)).toEqual([
      { identifier: "n", axis: "a", why: "n is frozen: each device needs it whole" },
    ]);
  });
});

test("a rival that does not fit is out for memory", () => {
  let unavailable = 0;
  const check = (given: SmallProgram) => {
    const request = requestOf(textOf(given));
    const none = optimize({ ...request, memoryLimit: 1 });
    if (none.ok || none.leanest === undefined) throw new Error("a plan of one byte");
    const limited = { ...request, memoryLimit: none.leanest.bytes };
    const tight = planned(limited);
    const reasons = reasonsOf(limited, givenOf(tight));
    for (const { standing, decided, more } of reasons) {
      expect(standing).not.toBe("rival-cheaper");
      if (standing !== "unavailable") continue;
      unavailable += 1;
      expect(decided).toBe("memory");
      expect(tight.bytes + (more?.bytes ?? 0)).toBeGreaterThan(none.leanest.bytes);
    }
  };
  fc.assert(fc.property(smallPrograms, check), { seed: 9, numRuns: 30 });
  expect(unavailable).toBeGreaterThan(5);
});

test("equal operators among equal neighbours share one reason", () => {
  const layers = Array.from({ length: 6 }, (_, at) => [
    `u${at} = Parameter((16, 64))`,
    `d${at} = Parameter((64, 16))`,
    `x = add(x, mm(mm(x, u${at}), d${at}))`,
  ]).flat();
  const request = requestOf(
    `${words}\nmesh = Mesh(a=2)\nx = Tensor((16, 16))\n${layers.join("\n")}`,
  );
  const reasons = reasonsOf(request, givenOf(planned(request)));
  expect(reasons.length).toBeLessThan(12);
  expect(Math.max(...reasons.map(({ operators }) => operators.length))).toBeGreaterThanOrEqual(3);
});

test("equal readers of one value share one reason, whichever of them reads it first", () => {
  const layers = Array.from({ length: 8 }, (_, at) => [
    `u${at} = Parameter((16, 16))`,
    `x = add(mm(x, u${at}), c)`,
  ]).flat();
  const request = requestOf(
    `${words}\nmesh = Mesh(a=2)\nx = Tensor((16, 16))\nc = Tensor((16, 16))\n${layers.join("\n")}`,
  );
  const reasons = reasonsOf(request, givenOf(planned(request)));
  // The additions inside the layers, and their products.
  const sizes = reasons.map(({ operators }) => operators.length).sort((one, two) => two - one);
  expect(sizes.slice(0, 2).every((size) => size >= 5)).toBe(true);
});
