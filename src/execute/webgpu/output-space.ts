import { type Box, lengthOf, type Range } from "#core/indexspace";
import type { BoundCall, CallOperand } from "#core/ir";
import type { PointOutput } from "#core/ir/body";
import { positionName } from "#core/ir/body";
import { required } from "#core/records";
import { globalIndex } from "./expression.ts";
import { type KernelText, literalIndex, type Term } from "./kernel-text.ts";
import type { Register } from "./scope.ts";

/** Loop over the cells of a kernel's result; each thread takes one index. */
export interface Counter {
  readonly name: string;
  readonly length: number;
  /** The words of the result that one step moves. */
  readonly step: number;
  /** Start of the loop in the whole index, by instance. */
  readonly starts: readonly number[];
}

/** An index that follows from those of the counters. */
export type Derived =
  | {
      readonly kind: "sum";
      readonly name: string;
      readonly parts: readonly { readonly of: string; readonly factor: number }[];
    }
  | {
      readonly kind: "digit";
      readonly name: string;
      readonly of: string;
      readonly divisor: number;
      readonly size: number;
    };

/** The cells that a kernel makes, outermost counter first. */
export interface OutputSpace {
  readonly counters: readonly Counter[];
  readonly derived: readonly Derived[];
  /** Word of the result with all counters at their starts, by instance. */
  readonly bases: readonly number[];
}

/** Registers of all indices, from the positions of the counters. */
export function registersOf(
  { counters, derived }: OutputSpace,
  places: readonly Term[],
  text: KernelText,
): Map<string, Register> {
  const registers = new Map<string, Register>();
  for (const [at, { name, starts }] of counters.entries()) {
    registers.set(name, { local: places[at] ?? literalIndex(0), starts });
  }
  for (const each of derived) registers.set(each.name, derivedRegister(each, registers, text));
  return registers;
}

function derivedRegister(
  derived: Derived,
  registers: ReadonlyMap<string, Register>,
  text: KernelText,
): Register {
  const of = (name: string): Register => {
    return required(registers, name, "index");
  };
  if (derived.kind === "digit") {
    const whole = globalIndex(of(derived.of), text);
    const [quotient] = text.digits(whole, derived.divisor);
    const [, digit] =
      quotient.high < derived.size ? [0, quotient] : text.digits(quotient, derived.size);
    return { local: digit, starts: of(derived.of).starts.map(() => 0) };
  }
  const parts = derived.parts.map(({ of: name, factor }) => ({ ...of(name), factor }));
  const local = parts.reduce(
    (sum, part) => text.sum(sum, text.scaled(part.local, part.factor)),
    literalIndex(0),
  );
  const [first] = parts;
  const starts = (first?.starts ?? []).map((_, at) =>
    parts.reduce((sum, part) => sum + part.factor * (part.starts[at] ?? 0), 0),
  );
  return { local, starts };
}

/**
 * The place of an instance's result: the box of cells to make, and the block that contains them.
 */
export interface Target {
  readonly box: Box;
  readonly strides: readonly number[];
  /** The word of the tensor's origin. */
  readonly origin: number;
}

/** The cells of a box of a result; boxes of all instances have the same lengths. */
export function storeSpace(
  call: BoundCall,
  { dims }: Pick<CallOperand, "dims">,
  targets: readonly Target[],
): OutputSpace {
  const sizes = new Map(call.axes.map(({ name, size }) => [name, size]));
  const [first] = targets;
  const perDim = (first?.box ?? []).map((_, dim) =>
    dimSpace(
      dim,
      dims[dim]?.identifiers ?? [],
      sizes,
      targets.map(({ box }) => box[dim] ?? { start: 0, stop: 0 }),
      first?.strides[dim] ?? 0,
    ),
  );
  return {
    counters: perDim.flatMap(({ counters }) => counters),
    derived: perDim.flatMap(({ derived }) => derived),
    bases: targets.map(({ box, strides, origin }) =>
      box.reduce((sum, { start }, dim) => sum + start * (strides[dim] ?? 0), origin),
    ),
  };
}

type DimSpace = Omit<OutputSpace, "bases">;

/** The counters of a dim: one per identifier of its bracket if the ranges are whole blocks. */
function dimSpace(
  dim: number,
  identifiers: readonly string[],
  sizes: ReadonlyMap<string, number>,
  ranges: readonly Range[],
  stride: number,
): DimSpace {
  const position = positionName(dim);
  const parts = identifiers.map((name) => ({ name, size: sizes.get(name) ?? Number(name) }));
  const inner = parts.slice(1).reduce((product, { size }) => product * size, 1);
  const isWhole = ranges.every((each) => each.start % inner === 0 && lengthOf(each) % inner === 0);
  const length = ranges[0] === undefined ? 0 : lengthOf(ranges[0]);
  const starts = ranges.map(({ start }) => start);
  if (parts.length > 1 && isWhole) {
    return blockSpace(position, parts, sizes, { length, starts, stride, inner });
  }
  const counters = [{ name: position, length, step: stride, starts }];
  if (parts.length > 1) return { counters, derived: digitsOf(position, parts, sizes) };
  const named = identifiers.filter((name) => sizes.has(name));
  return { counters, derived: named.map((name) => alias(name, position)) };
}

function alias(name: string, of: string): Derived {
  return { kind: "sum", name, parts: [{ of, factor: 1 }] };
}

interface Part {
  readonly name: string;
  readonly size: number;
}

interface Blocks {
  readonly length: number;
  readonly starts: readonly number[];
  readonly stride: number;
  /** Cells of one block of the outermost identifier. */
  readonly inner: number;
}

function blockSpace(
  position: string,
  parts: readonly Part[],
  sizes: ReadonlyMap<string, number>,
  { length, starts, stride, inner }: Blocks,
): DimSpace {
  let factor = inner;
  const counters: Counter[] = [];
  const sum: { of: string; factor: number }[] = [];
  for (const [at, { size }] of parts.entries()) {
    if (at > 0) factor /= size;
    const name = `${position}.${at}`;
    sum.push({ of: name, factor });
    counters.push({
      name,
      length: at === 0 ? length / inner : size,
      step: stride * factor,
      starts: starts.map((start) => (at === 0 ? start / inner : 0)),
    });
  }
  const names = parts.flatMap(({ name }, at) =>
    sizes.has(name) ? [alias(name, `${position}.${at}`)] : [],
  );
  return { counters, derived: [...names, { kind: "sum", name: position, parts: sum }] };
}

/** The digits by which the index of a bracket gives the indices of its identifiers. */
function digitsOf(
  position: string,
  parts: readonly Part[],
  sizes: ReadonlyMap<string, number>,
): readonly Derived[] {
  let divisor = 1;
  return parts.toReversed().flatMap(({ name, size }) => {
    const digit: Derived = { kind: "digit", name, of: position, divisor, size };
    divisor *= size;
    return sizes.has(name) ? [digit] : [];
  });
}

/** The cells that the points of a part of the index write. */
export function pointSpace(
  call: BoundCall,
  output: PointOutput,
  targets: readonly (Target & { readonly index: Box })[],
): OutputSpace {
  const strides = targets[0]?.strides ?? [];
  const along = (of: (row: PointOutput["projection"][number]) => number) =>
    output.projection.reduce((sum, row, dim) => sum + of(row) * (strides[dim] ?? 0), 0);
  const axes = call.axes.map(({ name }, axis) => {
    const ranges = targets.map(({ index }) => index[axis] ?? { start: 0, stop: 1 });
    return {
      name,
      length: ranges[0] === undefined ? 0 : lengthOf(ranges[0]),
      step: along(({ coefficients }) => coefficients[axis] ?? 0),
      starts: ranges.map(({ start }) => start),
    };
  });
  const moving = axes.filter(({ step, length }) => step !== 0 || length < 2);
  const cells = output.loops.map(({ axis, size, dim }) => ({
    name: axis,
    length: size,
    step: strides[dim] ?? 0,
    starts: targets.map(() => 0),
  }));
  const first = along(({ offset }) => offset);
  return {
    counters: [...moving, ...cells],
    derived: output.loops.flatMap(({ axis, digits }) =>
      digits.map((digit): Derived => ({ ...digit, kind: "digit", name: digit.axis, of: axis })),
    ),
    bases: targets.map(({ origin }, at) =>
      moving.reduce((sum, { step, starts }) => sum + step * (starts[at] ?? 0), origin + first),
    ),
  };
}

/** The entries of a table, dense per instance. */
export function tableSpace(
  loops: readonly {
    readonly axis: string;
    readonly length: number;
    readonly starts: readonly number[];
  }[],
  instances: number,
): OutputSpace & { readonly size: number } {
  let step = 1;
  const counters = loops
    .toReversed()
    .map(({ axis, length, starts }): Counter => {
      const counter = { name: axis, length, step, starts };
      step *= length;
      return counter;
    })
    .reverse();
  const bases = Array.from({ length: instances }, (_, at) => at * step);
  return { counters, derived: [], bases, size: step };
}
