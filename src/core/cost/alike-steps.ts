import type { Attributes, DType, Operator } from "#core/ir";
import { type DimLayout, type Layout, type Part, samePart } from "#core/mesh";
import type { LocalStep, ValueId } from "#core/program";
import { sameItems } from "#core/records";
import type { Measure } from "./local-operator.ts";

/** Largest number of earlier, distinct steps of an index space that a step is compared with. */
export const mostCompared = 4;

/** Step with the facts that distinguish it from other steps of its index space. */
interface Run {
  readonly step: LocalStep;
  readonly operator: Operator;
  readonly rows: string | undefined;
  readonly isView: boolean;
  /** Values that the step reads, then values that it makes. */
  readonly values: readonly (Held | undefined)[];
}

/** Facts about a value, without its name. */
interface Held {
  readonly dtype: DType;
  readonly bytes: number | undefined;
  readonly shape: readonly number[] | undefined;
  readonly strides: readonly number[] | undefined;
  readonly layout: Layout;
  /** Dim whose rows are divided among the microbatches. */
  readonly rowDim: number | undefined;
}

interface Known<T> {
  readonly run: Run;
  readonly result: T;
}

/** Results of earlier steps, keyed by the `axes` object that equal operators have in common. */
export type FoundOfSteps<T> = Map<Operator["axes"], Known<T>[]>;

/**
 * Wraps `find` so that it runs once for steps that differ in names alone, such as the layers of a
 * model.
 *
 * @param find a function of the kind of a step's operator, its strategy, and the shapes, types,
 * layouts and bytes of the values that it reads and makes: never of names
 * @param known results for earlier steps; those of another program count only with as many
 * micro-batches
 */
export function onceForAlike<T>(
  measure: Measure,
  find: (step: LocalStep) => T,
  known: FoundOfSteps<T> = new Map(),
): (step: LocalStep) => T {
  return (step) => {
    const operator = measure.operators.get(step.operator);
    if (operator === undefined) return find(step);
    const before = known.get(operator.axes) ?? [];
    for (const each of before) if (isAlike(each.run, step, operator, measure)) return each.result;
    const result = find(step);
    const run = runOf(step, operator, measure);
    if (before.unshift({ run, result }) === 1) known.set(operator.axes, before);
    if (before.length > mostCompared) before.pop();
    return result;
  };
}

function runOf(step: LocalStep, operator: Operator, measure: Measure): Run {
  const { microbatches, storages } = measure;
  const values: (Held | undefined)[] = [];
  for (const id of step.inputs) values.push(heldOf(id, measure));
  for (const id of step.outputs) values.push(heldOf(id, measure));
  const rows = microbatches?.axes.get(operator.id);
  return { step, operator, rows, isView: storages.views.has(operator.id), values };
}

function heldOf(id: ValueId, measure: Measure): Held | undefined {
  const { values, sizes, tensors, microbatches, storages } = measure;
  const value = values.get(id);
  if (value === undefined) return undefined;
  const { tensor, dtype, layout } = value;
  return {
    dtype,
    bytes: sizes.get(id),
    shape: tensors.get(tensor)?.shape,
    strides: storages.strides.get(tensor),
    layout,
    rowDim: microbatches?.dims.get(tensor),
  };
}

/** Whether a step differs from a known one in names alone. Allocates nothing. */
function isAlike(known: Run, step: LocalStep, operator: Operator, measure: Measure): boolean {
  const { inputs, outputs } = step;
  if (
    known.step.inputs.length !== inputs.length ||
    known.step.outputs.length !== outputs.length ||
    known.rows !== measure.microbatches?.axes.get(operator.id) ||
    known.isView !== measure.storages.views.has(operator.id) ||
    !sameStrategy(known.step.strategy, step.strategy) ||
    !isSameKind(known.operator, operator)
  )
    return false;
  let at = 0;
  for (const id of inputs) if (!isHeldAlike(known.values[at++], id, measure)) return false;
  for (const id of outputs) if (!isHeldAlike(known.values[at++], id, measure)) return false;
  return true;
}

/** Whether a value equals a known one in all but its name. */
function isHeldAlike(known: Held | undefined, id: ValueId, measure: Measure): boolean {
  const { values, sizes, tensors, microbatches, storages } = measure;
  const value = values.get(id);
  if (known === undefined || value === undefined) return false;
  return (
    known.dtype === value.dtype &&
    known.bytes === sizes.get(id) &&
    known.rowDim === microbatches?.dims.get(value.tensor) &&
    sameNumbers(known.shape, tensors.get(value.tensor)?.shape) &&
    sameNumbers(known.strides, storages.strides.get(value.tensor)) &&
    sameCuts(known.layout, value.layout)
  );
}

/**
 * Whether two operators differ in nothing but names and tensors. Lists that equal operators share are
 * not gone through.
 */
export function isSameKind(a: Operator, b: Operator): boolean {
  if (a === b) return true;
  return (
    a.entry === b.entry &&
    a.annotation === b.annotation &&
    a.axes === b.axes &&
    a.body === b.body &&
    a.points === b.points &&
    a.sharedBy === b.sharedBy &&
    sameOperands(a.inputs, b.inputs) &&
    sameOperands(a.outputs, b.outputs) &&
    sameAttributes(a.attributes, b.attributes)
  );
}

function sameOperands(a: Operator["inputs"], b: Operator["inputs"]): boolean {
  return (
    a.length === b.length &&
    a.every(({ dims, projection }, at) => dims === b[at]?.dims && projection === b[at]?.projection)
  );
}

function sameAttributes(a: Attributes, b: Attributes): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const [one, other] = [a[name], b[name]];
      if (Object.is(one, other)) return Object.hasOwn(b, name);
      return Array.isArray(one) && JSON.stringify(one) === JSON.stringify(other);
    })
  );
}

function sameStrategy(a: LocalStep["strategy"], b: LocalStep["strategy"]): boolean {
  if (a === b) return true;
  if (a.sizes !== b.sizes) return false;
  const names = Object.keys(a.cuts);
  return (
    names.length === Object.keys(b.cuts).length &&
    names.every((name) => Object.hasOwn(b.cuts, name) && sameParts(a.cuts[name], b.cuts[name]))
  );
}

function sameParts(a: readonly Part[] = [], b: readonly Part[] = []): boolean {
  if (a === b) return true;
  return (
    a.length === b.length &&
    a.every((part, at) => {
      const other = b[at];
      return other !== undefined && samePart(part, other);
    })
  );
}

export function sameNumbers(a: readonly number[] = [], b: readonly number[] = []): boolean {
  return a === b || sameItems(a, b);
}

/** Whether blocks have the same lengths. */
function sameCuts(a: Layout, b: Layout): boolean {
  if (a === b) return true;
  if (a.mesh !== b.mesh || a.dims.length !== b.dims.length) return false;
  return a.dims.every((dim, at) => {
    const other: DimLayout | undefined = b.dims[at];
    return (
      other !== undefined &&
      dim.chunks === other.chunks &&
      dim.sizes === other.sizes &&
      sameParts(dim.parts, other.parts)
    );
  });
}
