import type { Compiled } from "#compile";
import { unreachable } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import { stepsByRedistribution } from "./comm-summary.ts";

/** A number of the cost bar: peak bytes, bytes received, modelled seconds. */
export type Metric = "memory" | "comm" | "time";

/** What a contributor stands for in the plan. */
export interface Contributed {
  readonly tensor?: TensorId;
  readonly operator?: OperatorId;
  readonly redistribution?: number;
}

/** One part of a number; all parts of a plan add up to it. */
export interface CostPart extends Contributed {
  /** The same for the same thing in two versions of a plan. */
  readonly key: string;
  readonly name: string;
  /** Bytes, or seconds for `time`. */
  readonly value: number;
}

/** A part in two versions of a plan; absent parts count nothing. */
export interface ComparedPart extends CostPart {
  readonly before: number;
}

/**
 * What a number is made of, the largest first: of `memory` the tensors that are alive at its peak,
 * of `comm` the redistributions, of `time` the operators and the redistributions.
 */
export function costParts(compiled: Compiled, metric: Metric): readonly CostPart[] {
  const parts = partsOf(compiled, metric).filter(({ value }) => value > 0);
  return [...parts].sort((a, b) => b.value - a.value || (a.key < b.key ? -1 : 1));
}

/** The parts of two versions side by side, those that changed most first. */
export function comparedParts(
  before: Compiled,
  after: Compiled,
  metric: Metric,
): readonly ComparedPart[] {
  const old = new Map(costParts(before, metric).map((part) => [part.key, part]));
  const now = costParts(after, metric);
  const known = new Set(now.map(({ key }) => key));
  const gone = [...old.values()].filter(({ key }) => !known.has(key));
  const rows = [
    ...now.map((part) => ({ ...part, before: old.get(part.key)?.value ?? 0 })),
    ...gone.map(({ key, name, value }) => ({ key, name, value: 0, before: value })),
  ];
  const change = ({ value, before: was }: ComparedPart) => Math.abs(value - was);
  return rows.sort((a, b) => change(b) - change(a) || b.value - a.value);
}

function partsOf(compiled: Compiled, metric: Metric): readonly CostPart[] {
  switch (metric) {
    case "memory":
      return aliveParts(compiled);
    case "comm":
      return sentParts(compiled, "bytes");
    case "time":
      return [...computedParts(compiled), ...sentParts(compiled, "seconds")];
    default:
      return unreachable(metric);
  }
}

/** The tensors that are alive when most are, each with all its values. */
function aliveParts({ memory, program }: Compiled): readonly CostPart[] {
  const tensorOf = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const sums = new Map<TensorId, number>();
  for (const { value, bytes } of memory.alive) {
    const tensor = tensorOf.get(value);
    if (tensor !== undefined) sums.set(tensor, (sums.get(tensor) ?? 0) + bytes);
  }
  return [...sums].map(([tensor, value]) => ({
    key: tensor,
    name: names.get(tensor) ?? tensor,
    value,
    tensor,
  }));
}

function computedParts({ cost, program }: Compiled): readonly CostPart[] {
  const operators = new Map(program.graph.operators.map((each) => [each.id, each]));
  return cost.operators.map(({ operator, seconds }) => {
    const known = operators.get(operator);
    return {
      key: `compute ${operator}`,
      name: known === undefined ? operator : `${known.name} = ${known.call}`,
      value: seconds,
      operator: known?.of ?? operator,
    };
  });
}

/** Redistributions by tensor: the second of the same tensor is another one. */
function sentParts({ program }: Compiled, count: "bytes" | "seconds"): readonly CostPart[] {
  const steps = stepsByRedistribution(program);
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const seen = new Map<TensorId, number>();
  return program.redistributions.map((redistribution) => {
    const { index, tensor } = redistribution;
    const ordinal = (seen.get(tensor) ?? 0) + 1;
    seen.set(tensor, ordinal);
    const moves = (steps.get(index) ?? []).map(({ collective, axes }) =>
      [collective, ...axes].join(" "),
    );
    return {
      key: `send ${tensor} ${ordinal}`,
      name: `${moves.join(", ") || "slice"} of ${names.get(tensor) ?? tensor}`,
      value: redistribution[count],
      redistribution: index,
      tensor,
    };
  });
}
