import { printAnnotation } from "#core/dimops";
import type { Operator } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { CollectiveStep, FlatStep, LocalStep, SpmdProgram, ValueId } from "./program.ts";

/**
 * A number per step, equal for steps that do the same: the same operator or collective on values of
 * the same shapes and layouts, whatever operators, values and tensors are called. What they are
 * connected to does not count. A step that cannot be repeated has a number of its own.
 */
export function stepKeys(program: SpmdProgram, steps: readonly FlatStep[]): readonly number[] {
  const numbers = createNumbers();
  const valueKey = valueKeys(program, numbers);
  const operatorKey = operatorKeys(numbers);
  const operators = new Map(program.graph.operators.map((each) => [each.id, each]));
  const made = new Set<ValueId>();
  return steps.map((step) => {
    const outputs = step.kind === "local" ? step.outputs : [step.output];
    const isAgain = outputs.some((id) => made.has(id));
    for (const id of outputs) made.add(id);
    const inputs = step.kind === "local" ? step.inputs : [step.input];
    const values = [...inputs, ...outputs].map(valueKey);
    if (isAgain || values.includes(undefined)) return numbers.unique();
    if (step.kind === "collective") return numbers.ofText(collectiveText(step, values, numbers));
    const operator = operators.get(step.operator);
    if (operator === undefined) return numbers.unique();
    return numbers.ofText(localText(step, { values, run: operatorKey(operator) }, numbers));
  });
}

type ValueKey = (id: ValueId) => number | undefined;

function localText(
  { phase, strategy, asGiven, inputs }: LocalStep,
  { values, run }: { readonly values: readonly unknown[]; readonly run: number },
  { of }: Numbers,
): string {
  const given = asGiven === undefined ? "" : of(asGiven);
  return `run ${inputs.length} ${values.join(",")} ${run} ${phase} ${of(strategy)} ${given}`;
}

function collectiveText(step: CollectiveStep, values: readonly unknown[], { of }: Numbers): string {
  const { input: _input, output: _output, reasons: _reasons, reshard: _reshard, ...said } = step;
  const { groups, ...rest } = said;
  const costs = [rest.elements, rest.bytes, rest.seconds].map(exactly);
  return `send ${values.join(",")} ${of(groups)} ${JSON.stringify([rest, costs])}`;
}

/** What an operator computes, without its names and its place in the text. */
function operatorKeys({ of, ofText }: Numbers): (operator: Operator) => number {
  const printed = new Map<Operator["annotation"], string>();
  return (operator) => {
    const { op, entry, attributes, axes, linear, reducesInside, annotation } = operator;
    const text = printed.get(annotation) ?? printAnnotation(annotation);
    printed.set(annotation, text);
    const sides = [operator.inputs, operator.outputs].map((side) =>
      side.map((each) => [of(each.dims), each.projection]),
    );
    const given = Object.entries(attributes).map(([name, value]) => [name, exactly(value)]);
    const said = [op, entry, given, text, of(axes), sides, linear, reducesInside];
    return ofText(`operator ${JSON.stringify(said)}`);
  };
}

/** Shape, element type and layout of each value: what a step sees of it. */
function valueKeys({ graph, values }: SpmdProgram, { of, ofText }: Numbers): ValueKey {
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const layouts = new Map<Layout, number>();
  const layoutKey = (layout: Layout): number => {
    const { mesh, dims, partials } = layout;
    const key = layouts.get(layout) ?? ofText(`layout ${of(mesh)} ${of(dims)} ${of(partials)}`);
    layouts.set(layout, key);
    return key;
  };
  const keys = new Map(
    values.map(({ id, tensor, dtype, layout, held }) => {
      const pieces = held === undefined ? "" : of(held);
      const text = `value ${of(shapes.get(tensor))} ${dtype} ${layoutKey(layout)} ${pieces}`;
      return [id, ofText(text)];
    }),
  );
  return (id) => keys.get(id);
}

/** Numbers for data: equal data have equal numbers. What is the same object is read only once. */
interface Numbers {
  readonly of: (data: unknown) => number;
  readonly ofText: (text: string) => number;
  readonly unique: () => number;
}

function createNumbers(): Numbers {
  const byText = new Map<string, number>();
  const byObject = new Map<unknown, number>();
  let count = 0;
  const unique = () => count++;
  const ofText = (text: string): number => {
    const number = byText.get(text) ?? unique();
    byText.set(text, number);
    return number;
  };
  const of = (data: unknown): number => {
    const known = byObject.get(data);
    if (known !== undefined) return known;
    const number = ofText(JSON.stringify(data) ?? "");
    byObject.set(data, number);
    return number;
  };
  return { of, ofText, unique };
}

/** A number as a text, since JSON does not tell infinities and NaN apart. */
function exactly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exactly);
  return typeof value === "number" && !Number.isFinite(value) ? `${value}` : value;
}
