import type { Compiled } from "#compile";
import { unreachable } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { Redistribution } from "#core/program";
import { usesOf } from "#core/schedule";
import { displayNames } from "../display-names.ts";
import { allSteps } from "../folded.ts";
import { runsOfRedistributions, stepsByRedistribution } from "./comm-summary.ts";

/** A figure of the cost bar: peak bytes per device, bytes received, or modelled seconds. */
export type Metric = "memory" | "comm" | "time";

/** The tensor, operator or redistribution that a part of a figure belongs to. */
export interface Contributed {
  readonly tensor?: TensorId;
  readonly operator?: OperatorId;
  readonly redistribution?: number;
}

/** One part of a figure; the values of all parts add up to the figure. */
export interface CostPart extends Contributed {
  /** Identifies the part across versions of a plan. */
  readonly key: string;
  readonly name: string;
  /** Bytes, or seconds for `time`. */
  readonly value: number;
}

/** A part of a figure in several plans; its value is 0 in a plan that lacks it. */
export interface ComparedPart extends CostPart {
  /** The part's value in each of the other plans. */
  readonly others: readonly number[];
  /** The part's value now minus its value in the reference plan. */
  readonly change: number;
}

/**
 * The parts of a figure, largest first. `memory`: the tensors alive at its peak; `comm`: the
 * redistributions; `time`: operators, exposed seconds of redistributions, and waits for the host.
 * Parts of 0 are left out.
 */
export function costParts(compiled: Compiled, metric: Metric): readonly CostPart[] {
  const parts = partsOfMetric(compiled, metric).filter(({ value }) => value > 0);
  return [...parts].sort((a, b) => b.value - a.value || byNumbers.compare(a.key, b.key));
}

/** Orders names by their numbers: layer 2 before layer 10. */
const byNumbers = new Intl.Collator("en", { numeric: true });

/**
 * The parts of a figure in several plans side by side, largest change first.
 *
 * @param against index, in `others`, of the plan from which changes are counted
 */
export function comparedParts(
  others: readonly Compiled[],
  now: Compiled,
  metric: Metric,
  against = 0,
): readonly ComparedPart[] {
  const columns = others.map(
    (other) => new Map(costParts(other, metric).map((part) => [part.key, part])),
  );
  const parts = new Map(costParts(now, metric).map((part) => [part.key, part]));
  for (const { key, name } of columns.flatMap((column) => [...column.values()])) {
    if (!parts.has(key)) parts.set(key, { key, name, value: 0 });
  }
  const rows = [...parts.values()].map((part): ComparedPart => {
    const values = columns.map((column) => column.get(part.key)?.value ?? 0);
    return { ...part, others: values, change: part.value - (values[against] ?? 0) };
  });
  return rows.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || b.value - a.value);
}

function partsOfMetric(compiled: Compiled, metric: Metric): readonly CostPart[] {
  switch (metric) {
    case "memory":
      return aliveParts(compiled);
    case "comm":
      return sentParts(compiled, ({ index, bytes }, runs) => (runs.get(index) ?? 1) * bytes);
    case "time":
      return [...computedParts(compiled), ...exposedParts(compiled), ...waitPart(compiled)];
    default:
      return unreachable(metric);
  }
}

/** The tensors alive at the memory peak, each with all its values. */
function aliveParts(compiled: Compiled): readonly CostPart[] {
  const { memory, program } = compiled;
  const tensorOf = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  const said = displayNames(compiled);
  const sums = new Map<TensorId, number>();
  for (const { value, bytes } of memory.alive) {
    const tensor = tensorOf.get(value);
    if (tensor !== undefined) sums.set(tensor, (sums.get(tensor) ?? 0) + bytes);
  }
  return [...sums].map(([tensor, value]) => ({
    key: tensor,
    name: said.tensor(tensor),
    value,
    tensor,
  }));
}

function computedParts(compiled: Compiled): readonly CostPart[] {
  const { cost, program } = compiled;
  const said = displayNames(compiled);
  const operators = new Map(program.graph.operators.map((each) => [each.id, each]));
  return cost.operators.map(({ operator, seconds }) => ({
    key: `compute ${operator}`,
    name: said.made(operator),
    value: seconds,
    operator: operators.get(operator)?.of ?? operator,
  }));
}

/** Redistributions by their exposed seconds, during which nothing is computed. */
function exposedParts(compiled: Compiled): readonly CostPart[] {
  const { schedule, program } = compiled;
  if (schedule === undefined) {
    return sentParts(compiled, ({ index, seconds }, runs) => (runs.get(index) ?? 1) * seconds);
  }
  const sums = new Map<number, number>();
  const uses = usesOf(schedule);
  for (const [at, step] of allSteps(program).entries()) {
    if (step.kind === "local") continue;
    sums.set(step.reshard, (sums.get(step.reshard) ?? 0) + (uses[at]?.exposed ?? 0));
  }
  return sentParts(compiled, ({ index }) => sums.get(index) ?? 0);
}

/** Key of the part for the time in which devices wait for the host. */
export const waitKey = "wait";

/** Seconds in which devices wait for the host. */
function waitPart({ schedule }: Compiled): readonly CostPart[] {
  const value = schedule?.bubble ?? 0;
  return [{ key: waitKey, name: "waits for launches", value }];
}

/** One part per redistribution; keys number the redistributions of a tensor. */
function sentParts(
  compiled: Compiled,
  count: (edge: Redistribution, runs: ReadonlyMap<number, number>) => number,
): readonly CostPart[] {
  const { program } = compiled;
  const said = displayNames(compiled);
  const steps = stepsByRedistribution(program);
  const runs = runsOfRedistributions(program);
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
      name: `${moves.join(", ") || "slice"} of ${said.tensor(tensor)}`,
      value: count(redistribution, runs),
      redistribution: index,
      tensor,
    };
  });
}
