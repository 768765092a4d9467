import fc from "fast-check";
import { plainModel } from "#core/cost";
import { fromSheet } from "#core/cost/machines";
import { readDocument } from "#systems";
import type { PlanRequest } from "./problem.ts";

/** A program of a few operators on square matrices. */
export interface SmallProgram {
  readonly mesh: string;
  /** The operator of each step, and the indices of the earlier tensors that it reads. */
  readonly steps: readonly (readonly [operator: number, one: number, other: number])[];
  readonly placed: number | null;
  readonly trains: boolean;
}

/** Small programs on one axis of the mesh or two, forward and in training. */
export const smallPrograms: fc.Arbitrary<SmallProgram> = fc.record({
  mesh: fc.constantFrom("a=2", "a=2, b=2", "a=4, b=2"),
  steps: fc.array(fc.tuple(fc.nat(4), fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 3 }),
  placed: fc.option(fc.nat(3)),
  trains: fc.boolean(),
});

const words = `import nnscaler
@nnscaler.register_op("a b -> b a")
def turn_op(x): ...
@nnscaler.register_op("m k+, n k+ -> m n")
def gram_op(x, y): ...
@nnscaler.register_op("a b^ -> a b^")
def soft_op(x): ...
`;

const operators = ["matmul(P, Q)", "add(P, Q)", "gram_op(P, Q)", "turn_op(P)", "soft_op(P)"];

const layouts = ['"None", "None"', '"a", "None"', '"None", "a"', '"b", "a"'];

/** Reorders lines; each may read results of the lines above it. */
type Ordered = (lines: readonly string[]) => readonly string[];

/**
 * The text of a program, with its lines in the given order or in another one with the same meaning.
 */
export function textOf(
  { mesh, steps, placed, trains }: SmallProgram,
  ordered: Ordered = (lines) => lines,
): string {
  const known = ["x", "w"];
  const lines = steps.map(([operator, p, q], at) => {
    const [one = "x", other = "x"] = [known[p % known.length], known[q % known.length]];
    known.push(`h${at}`);
    return `h${at} = ${operators[operator]?.replace("P", one).replace("Q", other)}`;
  });
  const layout = layouts[placed ?? 0]?.replaceAll('"b"', mesh.includes("b=") ? '"b"' : '"None"');
  const place = placed === null ? [] : [`place(x, mesh.layout(${layout}))`];
  const train = trains ? [`train(h${steps.length - 1}, optimizer="adam")`] : [];
  const tensors = ["x = Tensor((16, 16))", "w = Parameter((16, 16))"];
  const body = ordered([...tensors, ...lines]);
  return [words, `mesh = Mesh(${mesh})`, ...body, ...place, ...train].join("\n");
}

const hardware = fromSheet({
  name: "small",
  flops: 1e10,
  memoryBandwidth: 1e10,
  memoryBytes: 1e9,
  link: { latency: 1e-6, bandwidth: 1e9 },
});

/** The request of a text under the model `plain`; the first axis of its mesh is the slow one. */
export function requestOf(text: string, slowAxis = "a"): PlanRequest {
  const { graph, mesh, requests, training } = readDocument(text);
  const slow = { latency: 2e-6, bandwidth: 5e8 };
  const axes = mesh.mesh.axes.map((axis) => ({
    ...axis,
    link: axis.name === slowAxis ? slow : hardware.link,
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
