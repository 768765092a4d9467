import type { Blocks } from "#core/collective";
import type { DType, Graph, TensorId } from "#core/ir";

/**
 * The rounding of a run's floats. `own`: each result to the element type of its tensor, if that is
 * bf16 or f16. `full`: only that of the engine's own numbers.
 */
export type Precision = "own" | "full";

/** An element type with fewer digits than the engine's numbers. */
export interface NarrowType {
  readonly name: DType;
  /** Unit roundoff: the largest relative error of rounding. */
  readonly unit: number;
  /** The smallest subnormal number. */
  readonly smallest: number;
  /** The least number that is rounded to infinity. */
  readonly overflow: number;
  /** Rounds to the nearest number of the type, ties to even. Subnormals are kept. */
  readonly round: (value: number) => number;
}

/**
 * Adding and then subtracting this constant rounds a number below 2^51 to an integer, ties to even.
 */
const integral = 1.5 * 2 ** 52;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** Index of the 32-bit half of a double with the exponent, whatever the byte order. */
const high = highHalf();

function highHalf(): 0 | 1 {
  double[0] = 1;
  return halves[0] === 0 ? 1 : 0;
}

/**
 * A binary float by its digits and its range of exponents (IEEE 754 §3.3, round to nearest even).
 *
 * @param digits of the significand, the leading one included
 * @param most the largest exponent; the least is 1 − `most`
 */
function narrowType(name: DType, digits: number, most: number): NarrowType {
  const least = 1 - most;
  const overflow = (2 - 2 ** -digits) * 2 ** most;
  const quanta = Float64Array.from(
    { length: 2048 },
    (_, biased) => 2 ** (Math.max(biased - 1023, least) - digits + 1),
  );
  const round = (value: number): number => {
    if (value === 0) return value;
    const size = Math.abs(value);
    if (!(size < overflow)) return size >= overflow ? value * Number.POSITIVE_INFINITY : value;
    double[0] = size;
    const quantum = quanta[(halves[high] as number) >>> 20] as number;
    const rounded = (size / quantum + integral - integral) * quantum;
    return value < 0 ? -rounded : rounded;
  };
  return { name, unit: 2 ** -digits, smallest: 2 ** (least - digits + 1), overflow, round };
}

const narrowTypes: ReadonlyMap<DType, NarrowType> = new Map(
  [narrowType("bf16", 8, 127), narrowType("f16", 11, 15)].map((type) => [type.name, type]),
);

/**
 * The type to which results of a dtype are rounded; `undefined` if the engine's own numbers serve.
 */
export function narrowOf(dtype: DType | undefined): NarrowType | undefined {
  return dtype === undefined ? undefined : narrowTypes.get(dtype);
}

/** The dtypes of a graph to which results are rounded. */
export function narrowDTypes({ tensors }: Graph): readonly DType[] {
  const all = [...new Set(tensors.map(({ dtype }) => dtype))].sort();
  return all.filter((dtype) => narrowOf(dtype) !== undefined);
}

/** The types to which a run rounds operators' results, by tensor; empty with `full`. */
export function roundedTypes(
  { tensors }: Graph,
  precision: Precision = "full",
): ReadonlyMap<TensorId, NarrowType> {
  if (precision === "full") return new Map();
  return new Map(
    tensors.flatMap(({ id, dtype }) => {
      const type = narrowOf(dtype);
      return type === undefined ? [] : [[id, type]];
    }),
  );
}

/** Rounds all blocks of a value in place. */
export function roundBlocks(blocks: Blocks, { round }: NarrowType): void {
  for (const { values } of [...blocks.values()].flat())
    for (let at = 0; at < values.length; at += 1) values[at] = round(values[at] as number);
}
