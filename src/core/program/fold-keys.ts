import { printAnnotation } from "#core/dimops";
import type { Operator } from "#core/ir";
import type { FlatStep, SpmdProgram, ValueId } from "./program.ts";

/**
 * A number per step, equal for steps that do the same: the same operator or collective on values of
 * the same shapes and layouts, whatever operators, values and tensors are called. What they are
 * connected to does not count. A step that cannot be repeated has a number of its own.
 */
export function stepKeys(program: SpmdProgram, steps: readonly FlatStep[]): readonly number[] {
  const numbers = createNumbers();
  const valueKey = valueKeys(program, numbers.of);
  const operators = new Map(program.graph.operators.map((each) => [each.id, operatorKey(each)]));
  const made = new Set<ValueId>();
  return steps.map((step) => {
    const outputs = step.kind === "local" ? step.outputs : [step.output];
    const isAgain = outputs.some((id) => made.has(id));
    for (const id of outputs) made.add(id);
    const key = keyOf(step, operators, valueKey, numbers.of);
    return key === undefined || isAgain ? numbers.unique() : numbers.of(key);
  });
}

type NumberOf = (data: unknown) => number;
type ValueKey = (id: ValueId) => number | undefined;

function keyOf(
  step: FlatStep,
  operators: ReadonlyMap<string, unknown>,
  valueKey: ValueKey,
  numberOf: NumberOf,
): unknown {
  if (step.kind === "local") {
    const { operator, inputs, outputs, ...rest } = step;
    const values = [...inputs, ...outputs].map(valueKey);
    const run = operators.get(operator);
    return run === undefined || values.includes(undefined)
      ? undefined
      : [inputs.length, values, numberOf(run), rest];
  }
  const { input, output, reasons: _reasons, reshard: _reshard, groups, ...rest } = step;
  const values = [input, output].map(valueKey);
  if (values.includes(undefined)) return undefined;
  return [values, numberOf(groups), rest, [rest.elements, rest.bytes, rest.seconds].map(exactly)];
}

/** What an operator computes, without its names and its place in the text. */
function operatorKey(operator: Operator): unknown {
  const { op, entry, attributes, axes, linear, reducesInside } = operator;
  const dims = [operator.inputs, operator.outputs].map((side) =>
    side.map((each) => [each.dims, each.projection]),
  );
  const annotation = printAnnotation(operator.annotation);
  const given = Object.entries(attributes).map(([name, value]) => [name, exactly(value)]);
  return [op, entry, given, annotation, axes, dims, linear, reducesInside];
}

/** Shape, element type and layout of each value: what a step sees of it. */
function valueKeys({ graph, values }: SpmdProgram, numberOf: NumberOf): ValueKey {
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const keys = new Map(
    values.map(({ id, tensor, dtype, layout, held }) => {
      const { mesh, dims, partials } = layout;
      return [id, numberOf([shapes.get(tensor), dtype, numberOf(mesh), dims, partials, held])];
    }),
  );
  return (id) => keys.get(id);
}

/** Numbers for data: equal data have equal numbers. What is the same object is read only once. */
function createNumbers(): { readonly of: NumberOf; readonly unique: () => number } {
  const byText = new Map<string, number>();
  const byObject = new Map<unknown, number>();
  let count = 0;
  const unique = () => count++;
  const of = (data: unknown): number => {
    const known = byObject.get(data);
    if (known !== undefined) return known;
    const text = JSON.stringify(data) ?? "";
    const number = byText.get(text) ?? unique();
    byText.set(text, number);
    byObject.set(data, number);
    return number;
  };
  return { of, unique };
}

/** A number as a text, since JSON does not tell infinities and NaN apart. */
function exactly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exactly);
  return typeof value === "number" && !Number.isFinite(value) ? `${value}` : value;
}
