import fc from "fast-check";
import { expect, test } from "vitest";
import { plainModel } from "#core/cost";
import { readDocument } from "#language/document";
import { evaluate, type Network, networkOf } from "./network.ts";
import type { PlanRequest } from "./problem.ts";
import { solve } from "./solve.ts";

const words = `import nnscaler
@nnscaler.register_op("a b -> b a")
def turn_op(x): ...
@nnscaler.register_op("m k+, n k+ -> m n")
def gram_op(x, y): ...
@nnscaler.register_op("a b^ -> a b^")
def soft_op(x): ...
`;

/** Operators on square matrices, by how many of the tensors so far they read. */
const operators = ["matmul(P, Q)", "add(P, Q)", "gram_op(P, Q)", "turn_op(P)", "soft_op(P)"];

const layouts = ['"None", "None"', '"a", "None"', '"None", "a"', '"b", "a"'];

const programs = fc.record({
  mesh: fc.constantFrom("a=2", "a=2, b=2", "a=4, b=2"),
  steps: fc.array(fc.tuple(fc.nat(4), fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 2 }),
  placed: fc.option(fc.nat(3)),
  trains: fc.boolean(),
});

interface Given {
  readonly mesh: string;
  readonly steps: readonly (readonly [number, number, number])[];
  readonly placed: number | null;
  readonly trains: boolean;
}

function textOf({ mesh, steps, placed, trains }: Given): string {
  const known = ["x", "w"];
  const lines = steps.map(([operator, p, q], at) => {
    const [one = "x", other = "x"] = [known[p % known.length], known[q % known.length]];
    known.push(`h${at}`);
    return `h${at} = ${operators[operator]?.replace("P", one).replace("Q", other)}`;
  });
  const last = `h${steps.length - 1}`;
  const layout = layouts[placed ?? 0]?.replaceAll('"b"', mesh.includes("b=") ? '"b"' : '"None"');
  const place = placed === null ? [] : [`place(x, mesh.layout(${layout}))`];
  const train = trains ? [`train(${last}, optimizer="adam")`] : [];
  const tensors = ["x = Tensor((16, 16))", "w = Parameter((16, 16))"];
  return [words, `mesh = Mesh(${mesh})`, ...tensors, ...place, ...lines, ...train].join("\n");
}

const hardware = {
  name: "small",
  flops: 1e10,
  memoryBandwidth: 1e10,
  memoryBytes: 1e9,
  link: { latency: 1e-6, bandwidth: 1e9 },
};

function requestOf(text: string): PlanRequest {
  const { graph, mesh, requests, training } = readDocument(text);
  const slow = { latency: 2e-6, bandwidth: 5e8 };
  const axes = mesh.mesh.axes.map((axis, at) => ({
    ...axis,
    link: at === 0 ? slow : hardware.link,
  }));
  return {
    graph,
    mesh: { ...mesh.mesh, axes },
    hardware,
    model: plainModel(hardware),
    placements: new Map([...requests.placements].map(([id, { layout }]) => [id, layout])),
    pins: new Map(),
    ends: new Map(),
    ...(training !== undefined && { training }),
  };
}

/** Seconds and bytes of every plan of a network. */
function* allPlans({ unknowns }: Network): Generator<readonly number[]> {
  const sizes = unknowns.map(({ seconds }) => seconds.length);
  const plan = sizes.map(() => 0);
  for (;;) {
    yield [...plan];
    let at = plan.length - 1;
    while (at >= 0 && (plan[at] ?? 0) + 1 >= (sizes[at] ?? 1)) plan[at--] = 0;
    if (at < 0) return;
    plan[at] = (plan[at] ?? 0) + 1;
  }
}

function countOf({ unknowns }: Network): number {
  return unknowns.reduce((product, { seconds }) => product * seconds.length, 1);
}

test("no plan of a small program is better than the one found, with a limit of memory or without", () => {
  const seen = { limited: 0, trained: 0, impossible: 0 };
  const check = (given: Given) => {
    const network = networkOf(requestOf(textOf(given)));
    fc.pre(countOf(network) <= 15_000);
    const weights = [...allPlans(network)].map((plan) => evaluate(network, plan));
    const bytes = weights.map((weight) => weight.bytes).sort((a, b) => a - b);
    const [leanest = 0, middle = 0] = [bytes[0], bytes[Math.floor(bytes.length / 50)]];
    for (const limit of [undefined, middle, leanest, leanest - 1]) {
      const best = weights
        .filter((weight) => limit === undefined || weight.bytes <= limit)
        .reduce((least, { seconds }) => Math.min(least, seconds), Number.POSITIVE_INFINITY);
      const outcome = solve(network, limit);
      if (outcome.kind === "found") {
        expect(outcome.found.seconds).toBeCloseTo(best, 15);
        expect(outcome.found.bound).toBeCloseTo(best, 15);
        if (limit !== undefined) seen.limited += 1;
      } else if (outcome.kind === "too-large") {
        expect(best).toBe(Number.POSITIVE_INFINITY);
        expect(outcome.least.bytes).toBe(leanest);
        seen.impossible += 1;
      }
    }
    if (given.trains) seen.trained += 1;
  };
  fc.assert(fc.property(programs, check), { seed: 7, numRuns: 40 });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});
