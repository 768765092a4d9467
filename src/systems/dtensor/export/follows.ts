import type { BoundCall } from "#core/ir";
import type { Body, Definition, Expr } from "#core/ir/body";
import { blockCount } from "#core/mesh";
import type { LocalStep } from "#core/program";
import type { OperatorScope } from "#systems/arrays";
import { factorsOf } from "#systems/arrays/python";

/**
 * Whether DTensor, given the operator on whole tensors, cuts it as the plan does and sends nothing.
 * Required: operands have the strategy's layouts, every index axis is a dim of its own, and folded
 * axes are whole on each device or the operator is just one product or one fold (engine-torch.md
 * §4.1).
 */
export function followsPlan(
  { strategy: { cuts }, inputs }: LocalStep,
  { body: { call, body, points }, layoutOf }: OperatorScope,
): boolean {
  if (points !== undefined || inputs.some((id) => layoutOf(id).partials.length > 0)) return false;
  const isCut = (axis: string) => blockCount(cuts[axis] ?? []) > 1;
  const definitions = [...body.tables, ...body.outputs];
  return (
    hasPlainDims(call) &&
    definitions.every(({ value }) => isPlain(value)) &&
    call.outputs.every((_, at) => isFull(call, body, at)) &&
    (definitions.every(({ over }) => over.every(({ axis }) => !isCut(axis))) || isOneFold(body))
  );
}

/** Whether every dim of every tensor is one index axis, and none occurs twice in a tensor. */
function hasPlainDims({ inputs, outputs, axes }: BoundCall): boolean {
  const names = new Set(axes.map(({ name }) => name));
  return [...inputs, ...outputs].every((operand) => {
    const own = operand?.dims.map(({ identifiers }) => identifiers) ?? [];
    const isSingle = own.every(([name = "", ...more]) => more.length === 0 && names.has(name));
    return isSingle && new Set(own.flat()).size === own.length;
  });
}

/**
 * Whether an expression uses only functions that DTensor's rules cover, without element positions.
 */
function isPlain(expr: Expr): boolean {
  if (expr.kind === "index") return false;
  if (expr.kind === "read") return expr.at === undefined;
  if (expr.kind !== "apply") return true;
  return expr.function !== "quotient" && expr.args.every(isPlain);
}

/** Whether every axis of a result comes from an operand, so that nothing is broadcast. */
function isFull(call: BoundCall, { tables, outputs }: Body, at: number): boolean {
  const axesOf = (expr: Expr): readonly string[] => {
    if (expr.kind === "apply") return expr.args.flatMap(axesOf);
    if (expr.kind === "table")
      return tables.find(({ name }) => name === expr.name)?.axes.map(({ axis }) => axis) ?? [];
    if (expr.kind !== "read") return [];
    return call.inputs[expr.operand]?.dims.flatMap(({ identifiers }) => identifiers) ?? [];
  };
  const value = outputs[at]?.value;
  const found = new Set(value === undefined ? [] : axesOf(value));
  const wanted = call.outputs[at]?.dims.flatMap(({ identifiers }) => identifiers) ?? [];
  return wanted.every((axis) => found.has(axis));
}

/** Whether a body is just one sum of products, or one reduction of an operand. */
function isOneFold({ tables, outputs }: Body): boolean {
  const [only, ...others] = outputs;
  return tables.length === 0 && others.length === 0 && only !== undefined && isBare(only);
}

function isBare({ combine, value }: Definition): boolean {
  const factors = combine === "sum" ? factorsOf(value) : [value];
  return factors.every(({ kind }) => kind === "read");
}
