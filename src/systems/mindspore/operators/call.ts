import { product } from "#core/arithmetic";
import { type Checked, failed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";

/** A call of an operator, without its strategy. */
export interface OperatorCall {
  readonly op: string;
  /** Shapes of the tensor inputs, in order. */
  readonly shapes: readonly (readonly number[])[];
  /** The shapes with what divides lengths known at run time only, if they differ. */
  readonly dividing?: readonly (readonly number[])[];
  /** Attributes of the primitive, including those set by `add_prim_attr`. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Further arguments of the call, after the tensors. */
  readonly arguments: readonly unknown[];
  /** Indices of inputs that are numbers, for which a strategy may omit the tuple. */
  readonly numbers?: readonly number[];
  /** Indices of inputs that are trainable parameters. */
  readonly parameters: readonly number[];
  readonly devices: number;
  readonly rank: number;
  /** For each input, the dims whose lengths are known only at run time. */
  readonly openDims?: readonly ReadonlySet<number>[];
}

/** A call with a strategy of tuples: the number of pieces per dim of each input. */
export interface TupleCall extends OperatorCall {
  readonly strategies: readonly (readonly number[])[];
  readonly outStrategy?: readonly number[];
}

/** A call with Layouts: one device matrix and a tensor map for every input. */
export interface LayoutCall extends OperatorCall {
  readonly deviceMatrix: readonly number[];
  readonly maps: readonly (readonly MapEntry[])[];
  /** The map of the first result. */
  readonly outMap?: readonly MapEntry[];
  /** The device matrix of the first result, if it is another one. */
  readonly outMatrix?: readonly number[];
  /** The maps of all results with a Layout. */
  readonly outMaps?: readonly (readonly MapEntry[])[];
  /** Whether the last device axis cuts inside each card. */
  readonly isInterleaved?: boolean;
}

/** A result of an operator, with its tensor map. */
export interface OperatorOutput {
  readonly shape: readonly number[];
  readonly map: readonly MapEntry[];
  /**
   * The result's own device matrix, if it differs from the operator's (after a ReduceScatter of
   * tuples).
   */
  readonly deviceMatrix?: readonly number[];
  /** The local shape, if it does not follow from the map. */
  readonly slice?: readonly number[];
}

/**
 * A collective right after the operator (an AllGather: before it), along axes of its device matrix.
 */
export interface ForwardStep {
  readonly primitive: "AllReduce" | "ReduceScatter" | "AllGather";
  /** Device axes by map value, most significant first. */
  readonly axes: readonly number[];
  /** Set if it is emitted for a group of one device too. */
  readonly standsAlone?: true;
  /** Set if all devices take part, whatever the axes. */
  readonly isOfAll?: true;
}

/** The result of an operator's rule for a strategy, before repeated calculation. */
export interface Inferred {
  readonly deviceMatrix: readonly number[];
  readonly inputMaps: readonly (readonly MapEntry[])[];
  readonly outputs: readonly OperatorOutput[];
  readonly forward: readonly ForwardStep[];
  /**
   * The end of the device matrix at which copies get an axis; by default the right (mindspore.md
   * §2.3).
   */
  readonly repeatSide?: "left";
  /** Number of copies of the calculation; 1 by default. */
  readonly copies?: number;
  /** Local shapes of inputs, by index, that do not follow from their maps (manual_split). */
  readonly inputSlices?: Readonly<Record<number, readonly number[]>>;
  /** First row of this rank's block (manual_split, `primitive_target` CPU). */
  readonly offset?: number;
  /** Pieces that the last device axis cuts inside each card; 1 by default (mindspore.md §1.4). */
  readonly interleaved?: number;
}

/** MindSpore's rule of an operator; a strategy form without a method is refused. */
export interface OperatorRule {
  readonly tuples?: (call: TupleCall) => Checked<Inferred>;
  readonly layouts?: (call: LayoutCall) => Checked<Inferred>;
  /** Dims that batch parallel splits, as input and dim; by default dim 0 of input 0. */
  readonly batchDims?: (call: OperatorCall) => readonly (readonly [number, number])[];
  /** The default strategy if it is not batch parallel; MindSpore checks it like a written one. */
  readonly defaultStrategies?: (call: OperatorCall) => readonly (readonly number[])[] | undefined;
  /** Why the operator has no default strategy, so that an explicit one is required. */
  readonly noDefault?: string;
  readonly takesOutStrategy?: boolean;
  /** Whether the result may have a Layout, although it may not have a tuple. */
  readonly takesOutLayout?: boolean;
  /** Sizes that strategy values must divide; by default those of the inputs. */
  readonly cutSizes?: (call: OperatorCall) => readonly (readonly number[])[];
}

/** A strategy refusal, with the RuntimeError of the compiler. */
export function refused<T>(message: string): Checked<T> {
  const code = "mindspore/strategy-refused";
  return failed({ code, severity: "error", message, upstream: "RuntimeError" });
}

/** The map value of the `index`-th of `count` device axes, counted from the left. */
export function valueAt(count: number, index: number): number {
  return count - 1 - index;
}

/** The map values of `length` of `count` device axes, from the `start`-th on. */
export function valuesFrom(count: number, start: number, length: number): number[] {
  return Array.from({ length }, (_, at) => valueAt(count, start + at));
}

/** The map values of one entry as a list. */
export function entryList(entry: MapEntry | undefined): readonly number[] {
  return [entry ?? -1].flat();
}

/** Whether an entry names no axis at all. */
export function isNone(entry: MapEntry | undefined): boolean {
  return entryList(entry).every((value) => value < 0);
}

/** Whether two entries are written as the same list. */
export function isSameEntry(a: MapEntry | undefined, b: MapEntry | undefined): boolean {
  return entryList(a).join() === entryList(b).join();
}

/** The local shape of a tensor. */
export function sliceOf(
  shape: readonly number[],
  map: readonly MapEntry[],
  deviceMatrix: readonly number[],
): readonly number[] {
  return shape.map((size, dim) => {
    const sizes = entryList(map[dim]).map((value) => axisSizeOf(deviceMatrix, value));
    return size / product(sizes);
  });
}

/** An axis as a dim index from 0; `undefined` if it is out of range. */
export function dimOf(axis: unknown, rank: number): number | undefined {
  if (typeof axis !== "number" || !Number.isInteger(axis)) return undefined;
  const dim = axis < 0 ? axis + rank : axis;
  return dim >= 0 && dim < rank ? dim : undefined;
}

/** The integers in a value: one, or a list of them; `undefined` if it is neither. */
export function integersIn(value: unknown): readonly number[] | undefined {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const integers = values.filter((each): each is number => Number.isInteger(each));
  return integers.length === values.length ? integers : undefined;
}
