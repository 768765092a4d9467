import { printAnnotation } from "#core/dimops";
import { type Operator, operatorsById } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { FlatStep, SpmdProgram, Value, ValueId } from "./program.ts";

/** Function from steps to keys; one function may serve successive programs of one text. */
export type StepKeys = (program: SpmdProgram, steps: readonly FlatStep[]) => readonly number[];

/** Limit on remembered keys; beyond it the memory starts anew. */
const mostTexts = 100_000;

/**
 * Key (a number) per step, equal for steps that do the same: the same operator or collective on
 * values of the same shapes and layouts. Names of operators, values and tensors do not count, nor
 * do the steps around it. A step that cannot be repeated has a key of its own. Objects of an
 * earlier program are not read again.
 */
export function createStepKeys(): StepKeys {
  let memory = createMemory();
  return (program, steps) => {
    if (memory.numbers.size() > mostTexts) memory = createMemory();
    return stepKeys(program, steps, memory);
  };
}

/** Keys of objects that earlier programs had. */
interface Memory {
  readonly numbers: Numbers;
  readonly values: WeakMap<Value, { readonly shape: unknown; readonly key: number }>;
  readonly layouts: WeakMap<Layout, number>;
  readonly operators: WeakMap<Operator, number>;
  readonly annotations: WeakMap<Operator["annotation"], string>;
  /** Part of a step's key that does not depend on its values. */
  readonly steps: WeakMap<FlatStep, number>;
}

function createMemory(): Memory {
  return {
    numbers: createNumbers(),
    values: new WeakMap(),
    layouts: new WeakMap(),
    operators: new WeakMap(),
    annotations: new WeakMap(),
    steps: new WeakMap(),
  };
}

function stepKeys(
  program: SpmdProgram,
  steps: readonly FlatStep[],
  memory: Memory,
): readonly number[] {
  const { numbers } = memory;
  const valueKey = valueKeys(program, memory);
  const operators = operatorsById(program.graph);
  const made = new Set<ValueId>();
  return steps.map((step) => {
    const outputs = step.kind === "local" ? step.outputs : [step.output];
    const isAgain = outputs.some((id) => made.has(id));
    for (const id of outputs) made.add(id);
    const inputs = step.kind === "local" ? step.inputs : [step.input];
    const values = [...inputs, ...outputs].map(valueKey);
    if (isAgain || values.includes(undefined)) return numbers.unique();
    const does = remembered(memory.steps, step, () => numbers.ofText(stepText(step, numbers)));
    const seen = `${inputs.length} ${values.join(",")} ${does}`;
    if (step.kind === "collective") return numbers.ofText(`send ${seen}`);
    const operator = operators.get(step.operator);
    if (operator === undefined) return numbers.unique();
    return numbers.ofText(`run ${seen} ${operatorKey(operator, memory)}`);
  });
}

function remembered<Key extends object, Result>(
  known: WeakMap<Key, Result>,
  key: Key,
  make: () => Result,
): Result {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}

function stepText(step: FlatStep, { of }: Numbers): string {
  if (step.kind === "local") {
    const { phase, strategy, unverified } = step;
    return `local ${phase} ${of(strategy)} ${unverified === undefined ? "" : of(unverified)}`;
  }
  const { collective, phase, axes, moves, groups, pairs, elements, bytes, seconds } = step;
  const sent = pairs === undefined ? "" : of(pairs);
  const costs = `${elements} ${bytes} ${seconds}`;
  return `${collective} ${phase} ${of(axes)} ${of(moves)} ${of(groups)} ${sent} ${costs}`;
}

/** The text of an operator's computation, without its names and its place in the text. */
function operatorKey(operator: Operator, { operators, annotations, numbers }: Memory): number {
  const { of, ofText } = numbers;
  return remembered(operators, operator, () => {
    const { op, entry, attributes, axes, linear, reducesInside, annotation, sharedBy } = operator;
    const sides = [operator.inputs, operator.outputs].map((side) =>
      side.map((each) => [of(each.dims), each.projection]),
    );
    const given = Object.entries(attributes).map(([name, value]) => [name, exactly(value)]);
    const text = remembered(annotations, annotation, () => printAnnotation(annotation));
    const said = [op, entry, given, text, of(axes), sides, linear, reducesInside, sharedBy];
    return ofText(`operator ${JSON.stringify(said)}`);
  });
}

/** Keys of values: shape, element type and layout. */
function valueKeys(
  { graph, values }: SpmdProgram,
  memory: Memory,
): (id: ValueId) => number | undefined {
  const shapes = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const byId = new Map(values.map((value) => [value.id, value]));
  return (id) => {
    const value = byId.get(id);
    if (value === undefined) return undefined;
    const shape = shapes.get(value.tensor);
    const known = memory.values.get(value);
    if (known !== undefined && known.shape === shape) return known.key;
    const key = valueKey(value, shape, memory);
    memory.values.set(value, { shape, key });
    return key;
  };
}

function valueKey(
  { dtype, layout, held }: Value,
  shape: readonly number[] | undefined,
  { numbers: { of, ofText }, layouts }: Memory,
): number {
  const lies = remembered(layouts, layout, () => {
    const { mesh, dims, partials } = layout;
    return ofText(`layout ${of(mesh)} ${of(dims)} ${of(partials)}`);
  });
  return ofText(`value ${of(shape)} ${dtype} ${lies} ${held === undefined ? "" : of(held)}`);
}

/** Numbers for data: equal data have equal numbers. Each object is read only once. */
interface Numbers {
  readonly of: (data: unknown) => number;
  readonly ofText: (text: string) => number;
  readonly unique: () => number;
  /** Number of distinct texts so far. */
  readonly size: () => number;
}

function createNumbers(): Numbers {
  const byText = new Map<string, number>();
  const byObject = new WeakMap<object, number>();
  let count = 0;
  const unique = () => count++;
  const ofText = (text: string): number => {
    const number = byText.get(text) ?? unique();
    byText.set(text, number);
    return number;
  };
  const of = (data: unknown): number => {
    const read = () => ofText(JSON.stringify(data) ?? "");
    return typeof data === "object" && data !== null ? remembered(byObject, data, read) : read();
  };
  return { of, ofText, unique, size: () => byText.size };
}

/** Text of a number, since JSON does not distinguish infinities and NaN. */
function exactly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(exactly);
  return typeof value === "number" && !Number.isFinite(value) ? `${value}` : value;
}
