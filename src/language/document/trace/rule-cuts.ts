import type { TransformRule } from "#core/dimops";
import type { Operand, OperandDim, Operator } from "#core/ir";
import { isTile, withRepetitions } from "./repetitions.ts";
import type { TracedOperator } from "./traced.ts";

/**
 * Index axis that a transform rule allows to split, and whether results are partial sums over its
 * pieces.
 */
interface RuledAxis {
  readonly name: string;
  readonly isSummed: boolean;
  /** Tensor inputs, by position, of which every piece gets a share by value (V). */
  readonly shared: readonly number[];
}

/**
 * Operator with the cuts of its transform rules: an identifier that a rule splits may be split even
 * if frozen, and gives partial sums where the rule makes a result partial (dimops.md §3).
 */
export function withRules(operator: Operator, traced: TracedOperator): Operator {
  const { rules = [] } = traced;
  if (rules.length === 0 && !isTile(traced)) return operator;
  const tensors = tensorsOf(traced);
  const found = rules.flatMap((rule) => ruledAxis(operator, rule, tensors) ?? []);
  const own = isTile(traced) ? withRepetitions(operator) : operator;
  return found.reduce(withAxis, own);
}

/** Transform rule that splits an index axis of an operator; `undefined` without one. */
export function ruleFor(
  operator: Operator,
  traced: TracedOperator,
  axis: string,
): TransformRule | undefined {
  const tensors = tensorsOf(traced);
  return traced.rules?.find((rule) => ruledAxis(operator, rule, tensors)?.name === axis);
}

function tensorsOf({ inputs }: TracedOperator): readonly number[] {
  return inputs.flatMap((input, index) => (input.kind === "tensor" ? [index] : []));
}

/** Index axis of a rule whose split dims all have the same leading identifier; else `undefined`. */
function ruledAxis(
  operator: Operator,
  rule: TransformRule,
  tensors: readonly number[],
): RuledAxis | undefined {
  const splits = [...tensors.map((index) => rule.inputs[index]), ...rule.outputs];
  const operands: readonly Operand[] = [...operator.inputs, ...operator.outputs];
  const names = splits.flatMap((split, index) =>
    split?.kind === "D"
      ? split.dims.map((dim) => leadingName(operator, operands[index]?.dims.at(dim)))
      : [],
  );
  const [name] = names;
  if (name === undefined || names.some((other) => other !== name)) return undefined;
  const shared = tensors.flatMap((index, at) => (rule.inputs[index]?.kind === "V" ? [at] : []));
  return { name, isSummed: rule.outputs.some(({ kind }) => kind === "V"), shared };
}

function leadingName(operator: Operator, dim: OperandDim | undefined): string | undefined {
  const sizes = new Map(operator.axes.map((axis) => [axis.name, axis.size]));
  const names = dim?.identifiers.filter((name) => sizes.has(name)) ?? [];
  return dim?.splittable ?? names.find((name) => sizes.get(name) !== 1) ?? names[0];
}

function withAxis(operator: Operator, { name, isSummed, shared }: RuledAxis): Operator {
  const opened = (operand: Operand): Operand => ({
    ...operand,
    dims: operand.dims.map((dim) =>
      leadingName(operator, dim) === name ? { ...dim, splittable: name } : dim,
    ),
  });
  return {
    ...operator,
    axes: operator.axes.map((axis) =>
      axis.name === name ? { ...axis, reduction: isSummed ? "+" : "" } : axis,
    ),
    inputs: operator.inputs.map((operand, at) =>
      shared.includes(at)
        ? { ...opened(operand), shared: [...(operand.shared ?? []), name] }
        : opened(operand),
    ),
    outputs: operator.outputs.map(opened),
  };
}
