import type { Blocks } from "#core/collective";
import { type DType, type Graph, type TensorId, tensorsById } from "#core/ir";
import { isFloat } from "#core/ir/types";
import { partSize } from "#core/mesh";
import type { SpmdProgram, Value } from "#core/program";
import { groupedBy } from "#core/records";
import {
  type Engine,
  type HeldValues,
  type Leaves,
  type NarrowType,
  narrowOf,
} from "#execute/engine";
import type { TensorOrigin, WholeTensor, Widen } from "#execute/reference";
import { completeBlocks, visitElements } from "./compare.ts";
import type { FinishedRun } from "./finished-run.ts";

/**
 * Leaves rounded to the element types of their tensors. Indices stay: in a type with too few digits
 * they would read other cells.
 */
export function ownLeaves(graph: Graph, leaves: Leaves): Leaves {
  const tensors = tensorsById(graph);
  return new Map(
    [...leaves].map(([id, leaf]) => {
      const type = narrowOf(tensors.get(id)?.dtype);
      if (type === undefined || leaf.draw?.rule.kind === "index") return [id, leaf];
      return [id, { ...leaf, values: leaf.values.map(type.round) }];
    }),
  );
}

/** Parts of a run that determine its rounding. */
interface RoundedRun {
  readonly rounded?: readonly DType[];
  readonly ran: Pick<FinishedRun, "program">;
}

/** Rounding of a run in words; `undefined` if nothing but its own number type rounds. */
export function roundingWords(
  { rounded, ran }: RoundedRun,
  engine: Engine["name"],
): string | undefined {
  if (rounded === undefined) return undefined;
  const { tensors } = ran.program.graph;
  const isAll = tensors.every(({ dtype }) => !isFloat(dtype) || rounded.includes(dtype));
  const of = rounded.join(" and ");
  const what =
    isAll && rounded.length === 1 ? `each result rounded to ${of}` : `each result of ${of} rounded`;
  return `${what}, as ${engine === "cpu" ? "f64" : "f32"} computes it`;
}

/** The deviations allowed to devices that round each result to its own element type. */
export interface OwnRounding {
  /** Widens the bounds of an unsharded tensor by the roundings of devices. */
  readonly widened: Widen;
  /** Number of elements too large for the tensor's type, by tensor; they are not compared. */
  readonly overflowed: ReadonlyMap<TensorId, number>;
}

/**
 * Bounds of results that devices round. A value v with error e before gets u·(|v| + e) more, and a
 * subnormal. Contributions held before they are summed get u·Σ|contribution|, since their sum may
 * cancel (Higham, "Accuracy and Stability", thm 2.3: a rounding is at most u of its result, too).
 */
export function ownRounding(program: SpmdProgram, held: HeldValues): OwnRounding {
  const tensors = tensorsById(program.graph);
  const valuesOf = groupedBy(program.values.filter(isSummed), ({ tensor }) => tensor);
  const overflowed = new Map<TensorId, number>();
  const earlier = new Map<TensorId, WholeTensor>();
  const widened = (tensor: TensorId, made: WholeTensor, kind: TensorOrigin): WholeTensor => {
    const type = narrowOf(tensors.get(tensor)?.dtype);
    const summed = valuesOf.get(tensor) ?? [];
    if (type === undefined || (kind === "given" && summed.length === 0)) return made;
    const parts = Float64Array.from(made.values, () => 0);
    for (const value of summed) addContributions(parts, value, held, type, made.shape);
    const { whole, count } = withRounding(made, parts, type, earlier.get(tensor));
    if (count > 0) overflowed.set(tensor, (overflowed.get(tensor) ?? 0) + count);
    if (kind === "part") earlier.set(tensor, { ...whole, values: whole.values.slice() });
    return whole;
  };
  return { widened, overflowed };
}

/** Whether a value is held as contributions that are added up or multiplied, not only compared. */
function isSummed({ layout }: Pick<Value, "layout">): boolean {
  return layout.partials.some(
    ({ part, reduce }) => partSize(part) > 1 && reduce !== "max" && reduce !== "min",
  );
}

/** Adds the deviations of a value's contributions, each relative to its own size. */
function addContributions(
  parts: Float64Array,
  value: Value,
  held: HeldValues,
  { unit, smallest }: NarrowType,
  shape: readonly number[],
): void {
  const blocks = held.get(value.id);
  if (blocks === undefined) return;
  const { partials } = value.layout;
  const count = partials.reduce((product, { part }) => product * partSize(part), 1);
  // In a product the deviations of all factors count; in extremes of sums only the largest.
  const factor = partials.some(({ reduce }) => reduce === "prod") ? count : 1;
  const layout = {
    ...value.layout,
    partials: partials.map((each) =>
      each.reduce === "min" ? { ...each, reduce: "max" as const } : each,
    ),
  };
  const sizes = completeBlocks({ ...value, layout }, absolute(blocks), shape);
  const off = new Float64Array(parts.length);
  for (const block of [...sizes.values()].flat())
    visitElements(block.box, shape, (offset, flat) => {
      const size = block.values[offset] as number;
      const error = factor * unit * size + count * smallest;
      if (!(error <= (off[flat] as number))) off[flat] = error;
    });
  for (let at = 0; at < parts.length; at += 1) parts[at] = (parts[at] as number) + (off[at] ?? 0);
}

function absolute(blocks: Blocks): Blocks {
  return new Map(
    [...blocks].map(([device, own]) => [
      device,
      own.map(({ box, values }) => ({ box, values: values.map(Math.abs) })),
    ]),
  );
}

/**
 * Bounds with the rounding of contributions and of the result; no bound for cells that may
 * overflow.
 *
 * @param earlier the tensor after an operator made another part of it: unchanged cells are rounded
 * already
 */
function withRounding(
  made: WholeTensor,
  parts: Float64Array,
  { unit, smallest, overflow }: NarrowType,
  earlier: WholeTensor | undefined,
): { readonly whole: WholeTensor; readonly count: number } {
  let count = 0;
  const errors = Float64Array.from(made.values, (value, at) => {
    const own = made.errors[at] ?? 0;
    const isOld = earlier?.values[at] === value && earlier.errors[at] === own;
    if (isOld || !Number.isFinite(value) || own === Number.POSITIVE_INFINITY) return own;
    const before = own + (parts[at] as number);
    if (Math.abs(value) + before >= overflow) {
      count += 1;
      return Number.POSITIVE_INFINITY;
    }
    return before + unit * (Math.abs(value) + before) + smallest;
  });
  return { whole: { ...made, errors }, count };
}
