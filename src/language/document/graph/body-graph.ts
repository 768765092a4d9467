// Traced function body as a graph that can run.

import { type TensorId, tensorId } from "#core/ir";
import type { BodyOutcome } from "#core/ir/body";
import { nameTensors } from "../trace/names.ts";
import { settle } from "../trace/size.ts";
import type { Trace } from "../trace/trace.ts";
import type { Constant, TracedTensor } from "../trace/traced.ts";
import { buildGraph } from "./build-graph.ts";

export function refused(reason: string): BodyOutcome {
  return { ok: false, reason };
}

/** Traced body as a graph, if every operator of it can run; otherwise the reason. */
export function bodyFrom(
  trace: Trace,
  leaves: readonly TracedTensor[],
  results: readonly (TracedTensor | undefined)[],
  source: string,
): BodyOutcome {
  const own = new Set(trace.tensors);
  const foreign = [...trace.operators.flatMap(({ inputs }) => inputs), ...results].find(
    (each) => each?.kind === "tensor" && !own.has(each),
  );
  if (foreign?.kind === "tensor")
    return refused(`it reads "${foreign.name?.text ?? "a tensor"}", which is no argument of it`);
  const names = nameTensors(trace.tensors, trace.operators);
  const { graph, diagnostics } = buildGraph(trace, names, source);
  const fault = diagnostics.find(({ severity }) => severity === "error");
  if (fault !== undefined) return refused(fault.message);
  const constants = constantsOf(trace, new Set(leaves), names);
  if (typeof constants === "string") return refused(constants);
  const idOf = (tensor: TracedTensor): TensorId => tensorId(names.get(tensor) ?? "");
  return {
    ok: true,
    body: {
      graph,
      inputs: leaves.map(idOf),
      outputs: results.map((result) => result && idOf(result)),
      constants,
    },
  };
}

/** Tensors that the body makes from known numbers; an error text when one has unknown numbers. */
function constantsOf(
  { tensors }: Trace,
  given: ReadonlySet<TracedTensor>,
  names: ReadonlyMap<TracedTensor, string>,
): ReadonlyMap<TensorId, Float64Array> | string {
  const constants = new Map<TensorId, Float64Array>();
  for (const tensor of tensors) {
    if (tensor.producer !== undefined || given.has(tensor)) continue;
    const { constant, shape = [] } = tensor;
    const name = names.get(tensor) ?? "";
    if (constant === undefined) return `it makes "${name}", whose numbers are not known`;
    const count = shape.reduce<number>((product, size) => product * settle(size), 1);
    constants.set(tensorId(name), Float64Array.from({ length: count }, elementsOf(constant)));
  }
  return constants;
}

function elementsOf(constant: Constant): (_: unknown, at: number) => number {
  switch (constant.kind) {
    case "fill":
      return () => constant.value;
    case "row":
      return (_, at) => constant.start + at * constant.step;
    case "data":
      return (_, at) => constant.values[at] ?? Number.NaN;
  }
}
