import { type AffineRow, type Box, lengthOf } from "#core/indexspace";
import type { PointOutput } from "#core/ir/body";
import { type Program, registerOf } from "./compile-expression.ts";
import type { Merge } from "./number-rules.ts";
import type { View } from "./view.ts";

interface Counter {
  readonly register: number;
  /** The step of the result's flat index. */
  readonly step: number;
  readonly start: number;
  readonly stop: number;
  readonly digits: readonly {
    readonly register: number;
    readonly divisor: number;
    readonly size: number;
  }[];
}

/**
 * Computes the cells that the points of a part of the index write, into the block that contains
 * them.
 */
export function storePoints(
  target: View,
  output: PointOutput,
  box: Box,
  program: Program,
  compute: () => number,
  merge: Merge,
): void {
  const { registers } = program;
  const counters = countersOf(target, output, box, program);
  const go = (depth: number, flat: number): void => {
    const counter = counters[depth];
    if (counter === undefined) {
      target.values[flat] = merge(target.values[flat] ?? 0, compute());
      return;
    }
    for (let index = counter.start; index < counter.stop; index += 1) {
      registers[counter.register] = index;
      for (const { register, divisor, size } of counter.digits) {
        registers[register] = Math.floor(index / divisor) % size;
      }
      go(depth + 1, flat + index * counter.step);
    }
  };
  go(0, target.origin + along(target, output, ({ offset }) => offset));
}

/** Loops over the index axes that move the result, then over the cells of a point's block. */
function countersOf(
  target: View,
  output: PointOutput,
  box: Box,
  program: Program,
): readonly Counter[] {
  const axes = program.call.axes.map(({ name }, axis): Counter => {
    const step = along(target, output, ({ coefficients }) => coefficients[axis] ?? 0);
    const { start, stop } = box[axis] ?? { start: 0, stop: 1 };
    return { register: registerOf(program, name), step, start, stop, digits: [] };
  });
  const cells = output.loops.map(({ axis, size, dim, digits }): Counter => {
    const own = digits.map((digit) => ({ ...digit, register: registerOf(program, digit.axis) }));
    const step = target.strides[dim] ?? 0;
    return { register: registerOf(program, axis), step, start: 0, stop: size, digits: own };
  });
  const moves = ({ step, ...range }: Counter) => step !== 0 || lengthOf(range) < 2;
  return [...axes.filter(moves), ...cells];
}

/** The step of the flat index, from a step in every row. */
function along(
  { strides }: View,
  { projection }: PointOutput,
  of: (row: AffineRow) => number,
): number {
  return projection.reduce((sum, row, dim) => sum + of(row) * (strides[dim] ?? 0), 0);
}
