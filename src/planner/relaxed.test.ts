import { expect, test } from "vitest";
import { plainModel } from "#core/cost";
import { fromSheet } from "#core/cost/machines";
import { readDocument } from "#systems";
import { evaluate, networkOf } from "./network.ts";
import { solve } from "./solve.ts";

const link = { latency: 2e-6, bandwidth: 1e11 };
const hardware = fromSheet({
  name: "small",
  flops: 1e14,
  memoryBandwidth: 1e12,
  memoryBytes: 1e9,
  link,
});

/** One value with many readers: too many cases for one table. */
function manyReaders(count: number): string {
  const reads = Array.from({ length: count }, (_, at) => [
    `w${at} = Parameter((256, 256))`,
    `y${at} = matmul(n, w${at})`,
  ]);
  const head = ["mesh = Mesh(a=2, b=4)", "x = Tensor((512, 256))", "n = relu(x)"];
  return [...head, ...reads.flat(), `train(y0, optimizer="sgd")`].join("\n");
}

test("a value that too many operators read is priced below what it costs, and the bound says so", () => {
  const { graph, mesh, training } = readDocument(manyReaders(6));
  const axes = mesh.mesh.axes.map((axis) => ({ ...axis, link }));
  const network = networkOf({
    graph,
    mesh: { ...mesh.mesh, axes },
    hardware,
    model: plainModel(hardware),
    placements: new Map(),
    pins: new Map(),
    ends: new Map(),
    ...(training !== undefined && { training }),
  });
  expect(network.isRelaxed).toBe(true);
  const free = solve(network, undefined);
  if (free.kind !== "found") throw new Error("no plan");
  const { plan, seconds, bound, bytes } = free.found;
  expect(evaluate(network, plan).seconds).toBe(seconds);
  expect(bound).toBeLessThanOrEqual(seconds);
  expect(bound).toBeGreaterThan(0.5 * seconds);
  const tight = solve(network, 0.8 * bytes);
  if (tight.kind !== "found") throw new Error("no plan within the limit");
  expect(tight.found.bytes).toBeLessThanOrEqual(0.8 * bytes);
  expect(tight.found.bound).toBeLessThanOrEqual(tight.found.seconds);
  expect(tight.found.seconds).toBeGreaterThanOrEqual(bound);
});
