import fc from "fast-check";
import { expect, test } from "vitest";
import { assumedPlatform } from "#core/cost/machines";
import { readDocument } from "#systems";
import { networkOf } from "./network.ts";
import type { PlanRequest } from "./problem.ts";
import { requestOf, smallPrograms, textOf } from "./small-programs.testing.ts";
import { solve } from "./solve.ts";

/** Every value with several readers gets a hub. */
const hubs = { whole: 1, hubs: true };

/** Request with one value that several readers use, each with its own weight. */
function readBy(count: number, mesh: string): PlanRequest {
  const reads = Array.from({ length: count }, (_, at) => [
    `w${at} = Parameter((32, ${16 * (at + 1)}), "bf16")`,
    `y${at} = relu(matmul(n, w${at}))`,
  ]);
  const sum = Array.from({ length: count }, (_, at) => `matmul(y${at}, v${at})`);
  const last = sum.map((_, at) => `v${at} = Parameter((${16 * (at + 1)}, 32), "bf16")`);
  const text = [
    `mesh = Mesh(${mesh}, hardware="8xH100")`,
    `x = Tensor((64, 32), "bf16")`,
    `p = Parameter((32, 32), "bf16")`,
    "n = tanh(matmul(x, p))",
    ...reads.flat(),
    ...last,
    `z = ${sum.reduce((all, each) => `add(${all}, ${each})`)}`,
    `train(z, optimizer="sgd")`,
  ].join("\n");
  const { graph, mesh: read, training } = readDocument(text);
  const { hardware } = read.platform ?? assumedPlatform;
  return {
    ...{ graph, mesh: read.mesh, hardware },
    placements: new Map(),
    pins: new Map(),
    ends: new Map(),
    ...(training !== undefined && { training }),
  };
}

function secondsOf(request: PlanRequest, cases?: typeof hubs) {
  const network = networkOf(request, undefined, cases);
  const outcome = solve(network, undefined);
  if (outcome.kind !== "found") throw new Error("no plan");
  return { ...outcome.found, hubs: network.hubOf.size };
}

test.each([
  [2, "dp=2, tp=2"],
  [3, "dp=2, tp=2"],
  [2, "dp=4, tp=2"],
])(
  "with hubs a value that %i operators read on %s has the plan that it has as a whole",
  (count, mesh) => {
    const request = readBy(count, mesh);
    const [whole, beside] = [secondsOf(request), secondsOf(request, hubs)];
    expect(beside.hubs).toBeGreaterThan(0);
    expect(beside.seconds / whole.seconds).toBeCloseTo(1, 9);
    expect(beside.bound / whole.seconds).toBeCloseTo(1, 9);
  },
);

test("with four readers hubs say no more than the best plan takes", () => {
  const request = readBy(4, "dp=2, tp=2");
  const [whole, beside] = [secondsOf(request), secondsOf(request, hubs)];
  expect(beside.hubs).toBeGreaterThan(0);
  expect(beside.bound).toBeLessThanOrEqual(whole.seconds * (1 + 1e-9));
  expect(beside.bound).toBeGreaterThan(0.9 * whole.seconds);
  expect(beside.seconds).toBeGreaterThanOrEqual(whole.seconds * (1 - 1e-9));
});

test("on small programs hubs never say more than the best plan takes", () => {
  let equal = 0;
  const check = (given: Parameters<typeof textOf>[0]) => {
    const request = requestOf(textOf(given));
    const [whole, beside] = [secondsOf(request), secondsOf(request, hubs)];
    expect(beside.bound).toBeLessThanOrEqual(whole.seconds * (1 + 1e-9));
    expect(beside.seconds).toBeGreaterThanOrEqual(whole.seconds * (1 - 1e-9));
    if (beside.hubs > 0 && beside.bound >= whole.seconds * (1 - 1e-9)) equal += 1;
  };
  fc.assert(fc.property(smallPrograms, check), { seed: 9, numRuns: 40 });
  expect(equal).toBeGreaterThan(10);
});
