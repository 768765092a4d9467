import {
  type Graph,
  type IndexAxis,
  type Operand,
  type Operator,
  type OperatorId,
  type Tensor,
  type TensorId,
  tensorId,
} from "#core/ir";
import type { TraceBody } from "#core/ir/body";
import { type DeviceMesh, wholeAxis } from "#core/mesh";
import { isSplittable, propagate } from "#core/plan";
import { lower } from "#core/program";
import { required } from "#core/records";
import { resolveBodies } from "./resolve-bodies.ts";
import { runResolved } from "./run-program.ts";
import { pointsIn } from "./run-work.ts";

/** A contradiction between a registered function's body and its annotation. */
export type BodyFault =
  | { readonly kind: "shape"; readonly operator: OperatorId; readonly what: string }
  | {
      readonly kind: "axis";
      readonly operator: OperatorId;
      readonly axis: string;
      /**
       * The reduction that would be right: the parts sum up (`+`), or the identifier must stay
       * whole (`^`).
       */
      readonly mark: "+" | "^";
      /** Reason why the body does not run on a part; absent if it runs. */
      readonly what?: string;
    };

/** Limit on the cuts that one check tries; in a longer program some functions are not checked. */
const mostTrials = 200;

/** The most points of all index spaces that one trial may visit. */
const mostPoints = 100_000;

/**
 * Compares the body of every registered function with its annotation: each identifier that may be
 * cut is cut in two on small sizes, and the run on two devices must equal the function on whole
 * tensors. Left out are functions whose bodies cannot be run, and cuts for which the body takes no
 * small sizes.
 */
export function checkBodies(graph: Graph, trace: TraceBody): readonly BodyFault[] {
  const faults: BodyFault[] = [];
  const seen = new Set<string>();
  let trials = 0;
  const bodies = resolveBodies(graph, trace);
  for (const operator of graph.operators) {
    const key = keyOf(operator, graph);
    const isKnown = operator.entry !== undefined || operator.points !== undefined;
    if (isKnown || seen.has(key)) continue;
    seen.add(key);
    const what = bodies.misfitOf(operator);
    if (what !== undefined) faults.push({ kind: "shape", operator: operator.id, what });
    if (bodies.whole(operator) === undefined) continue;
    for (const axis of operator.axes) {
      if (axis.reduction === "^" || !isSplittable(operator, axis.name)) continue;
      trials += 1;
      if (trials > mostTrials) return faults;
      faults.push(...faultAlong(operator, axis, graph, trace));
    }
  }
  return faults;
}

/** A key: equal for calls of one function on equal shapes. */
function keyOf({ op, annotation, attributes, axes }: Operator, graph: Graph): string {
  const sizes = axes.map(({ name, size }) => [name, size]);
  const texts = [annotation.inputs, annotation.outputs].map((side) =>
    side.map(({ dims }) => dims.map(({ identifiers }) => identifiers.map(({ name }) => name))),
  );
  return JSON.stringify([op, texts, attributes, sizes, graph.outputs.length === 0]);
}

function faultAlong(
  operator: Operator,
  axis: IndexAxis,
  graph: Graph,
  trace: TraceBody,
): readonly BodyFault[] {
  const trial = smallTrial(operator, axis, graph, trace);
  if (trial === undefined) return [];
  const outcome = runTrial(trial, trace);
  if (outcome.equal) return [];
  const isLost = operator.outputs.some(({ dims }) => !mentions(dims, axis.name));
  const summed = isLost && axis.reduction === "" && runTrial(withMark(trial, "+"), trace).equal;
  const { id } = operator;
  const mark = summed ? "+" : "^";
  return [
    {
      ...{ kind: "axis", operator: id, axis: axis.name, mark },
      ...(outcome.what !== undefined && { what: outcome.what }),
    },
  ];
}

function mentions(dims: Operand["dims"], name: string): boolean {
  return dims.some(({ identifiers }) => identifiers.includes(name));
}

/** One operator on small sizes, to be cut in two along an axis. */
interface Trial {
  readonly graph: Graph;
  readonly operator: Operator;
  readonly axis: string;
}

/**
 * Sizes of the other axes, tried in turn until the body takes them: all different, even, all equal.
 */
const sizeRows: readonly (readonly number[])[] = [[3, 5, 2, 7, 6], [2, 6, 8, 4], [4], [8]];

/** First sizes on which the body runs as a whole, fits its annotation, and runs quickly. */
function smallTrial(
  operator: Operator,
  cut: IndexAxis,
  graph: Graph,
  trace: TraceBody,
): Trial | undefined {
  const others = operator.axes.filter(({ name }) => name !== cut.name);
  const rows = sizeRows.map((row) =>
    new Map(others.map(({ name }, at) => [name, row[at % row.length] ?? 2])).set(
      cut.name,
      row.length === 1 ? (row[0] ?? 4) : 4,
    ),
  );
  const own = new Map(operator.axes.map(({ name, size }) => [name, size]));
  const half = new Map(own).set(cut.name, 2 * Math.max(1, Math.ceil(cut.size / 2)));
  for (const sizes of [...rows, half]) {
    const trial = trialOn(operator, cut.name, sizes, graph);
    const bodies = resolveBodies(trial.graph, trace);
    const body = bodies.whole(trial.operator);
    if (body !== undefined && pointsIn(body.graph) <= mostPoints) return trial;
  }
  return undefined;
}

function trialOn(
  operator: Operator,
  axis: string,
  sizes: ReadonlyMap<string, number>,
  graph: Graph,
): Trial {
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
  const made: Tensor[] = [];
  const renamed = (operand: Operand, name: string, isResult: boolean): Operand => {
    const tensor = required(tensors, operand.tensor, "tensor");
    const id = tensorId(name);
    const shape = shapeOn(operand, tensor, sizes);
    const { producer: _, ...rest } = tensor;
    const role = isResult ? "activation" : "input";
    made.push({ ...rest, id, name, shape, role, ...(isResult && { producer: operator.id }) });
    return { ...operand, tensor: id };
  };
  const small: Operator = {
    ...operator,
    axes: operator.axes.map((each) => ({ ...each, size: sizes.get(each.name) ?? each.size })),
    inputs: operator.inputs.map((operand, at) => renamed(operand, `operand ${at}`, false)),
    outputs: operator.outputs.map((operand, at) => renamed(operand, `result ${at}`, true)),
  };
  return graphOf(small, made, axis);
}

function graphOf(operator: Operator, tensors: readonly Tensor[], axis: string): Trial {
  const outputs: readonly TensorId[] = operator.outputs.map(({ tensor }) => tensor);
  return { graph: { tensors, operators: [operator], outputs }, operator, axis };
}

/** The shape of an operand with these sizes of its axes; a dim without an axis keeps its size. */
function shapeOn(
  { dims }: Operand,
  { shape }: Tensor,
  sizes: ReadonlyMap<string, number>,
): readonly number[] {
  return dims.map(({ identifiers }, dim) =>
    identifiers.length === 0
      ? (shape[dim] ?? 1)
      : identifiers.reduce((product, name) => product * (sizes.get(name) ?? Number(name)), 1),
  );
}

function withMark({ operator, graph, axis }: Trial, reduction: "+"): Trial {
  const axes = operator.axes.map((each) => (each.name === axis ? { ...each, reduction } : each));
  return graphOf({ ...operator, axes }, graph.tensors, axis);
}

const two: DeviceMesh = { axes: [{ name: "half", size: 2 }], devices: [0, 1] };

/** Runs the operator on two devices with half of the axis each, and as a whole. */
function runTrial({ graph, operator, axis }: Trial, traceBody: TraceBody) {
  const strategy = { cuts: { [axis]: [wholeAxis(two, "half")] }, carry: [] };
  const operators = new Map([[operator.id, { strategy, mesh: two, status: "set" } as const]]);
  const { plan } = propagate(graph, two, { operators, placements: new Map() });
  const bodies = resolveBodies(graph, traceBody);
  const run = runResolved(lower(graph, plan), { seed: 1, values: "floats" }, bodies);
  return { equal: !run.ok || run.value.equal, what: bodies.faults()[0]?.what };
}
