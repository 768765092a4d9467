import { product } from "#core/arithmetic";
import type { Definition, Expr } from "#core/ir/body";
import { standInNumber } from "#core/ir/body";
import { indexSums, type OperandMoves, operandMoves } from "./counter-moves.ts";
import type { RangeOf } from "./definition.ts";
import type { BufferId } from "./gpu-program.ts";
import type { OutputSpace } from "./output-space.ts";
import type { Scope } from "./scope.ts";

/** A loop of a product: its number of steps, and the words that one step moves at each end. */
export interface ProductDim {
  readonly length: number;
  /**
   * Strides in words: in the operand with the rows, the operand with the columns, and the result.
   */
  readonly strides: readonly [rows: number, columns: number, result: number];
}

/** An operand of a product, or its result: its buffer and, per instance, its first word. */
export interface ProductEnd {
  readonly buffer: BufferId;
  readonly bases: readonly number[];
}

/**
 * A sum of products of two operands, as loops: rows that only one operand has, columns that only
 * the other has, batches that both have, and the inner loops of the sum. Outermost loops first.
 */
export interface ProductShape {
  readonly rows: readonly ProductDim[];
  readonly columns: readonly ProductDim[];
  readonly batches: readonly ProductDim[];
  readonly inner: readonly ProductDim[];
  /** The operand with the rows, the operand with the columns. */
  readonly operands: readonly [ProductEnd, ProductEnd];
  readonly factor: number;
}

/** The number of steps of some loops together. */
export function stepsOf(dims: readonly ProductDim[]): number {
  return dims.reduce((product, { length }) => product * length, 1);
}

/** The facts that decide whether a definition is a product, and the places of its operands. */
export interface ProductTask {
  readonly definition: Definition;
  readonly space: OutputSpace;
  readonly scope: Pick<Scope, "call" | "operands" | "instances" | "isExact">;
  readonly rangeOf: RangeOf;
}

/** Definition as a product of two operands; `undefined` if it is not a product. */
export function productShape(task: ProductTask): ProductShape | undefined {
  const { definition, space, scope, rangeOf } = task;
  const factors = factorsOf(definition, scope.isExact);
  if (factors === undefined) return undefined;
  const sums = indexSums(space, definition.over, rangeOf);
  const [first, second] = factors.operands.map((operand) => operandMoves(operand, scope, sums));
  if (first === undefined || second === undefined) return undefined;
  const loops = definition.over.map((loop) => ({ name: loop.axis, ...rangeOf(loop) }));
  const dimOf = (name: string, length: number, step: number): ProductDim => ({
    length,
    strides: [first.along(name), second.along(name), step],
  });
  const moving = space.counters
    .map(({ name, length, step }) => dimOf(name, length, step))
    .filter(({ length }) => length > 1);
  const inner = loops.map(({ name, length }) => dimOf(name, length, 0));
  if (moving.some(({ strides: [a, b] }) => a === 0 && b === 0)) return undefined;
  const shape: ProductShape = {
    rows: moving.filter(({ strides: [, b] }) => b === 0),
    columns: moving.filter(({ strides: [a] }) => a === 0),
    batches: moving.filter(({ strides: [a, b] }) => a !== 0 && b !== 0),
    inner: inner.filter(({ length }) => length > 1),
    operands: [endOf(first), endOf(second)],
    factor: factors.factor,
  };
  return merged(isTurned(shape) ? turned(shape) : shape);
}

function endOf({ view: { buffer }, bases }: OperandMoves): ProductEnd {
  return { buffer, bases };
}

/** The two operands that a sum multiplies, and the constant factor. */
function factorsOf({ over, combine, value }: Definition, isExact: boolean) {
  if (over.length === 0 || combine !== "sum") return undefined;
  const parts = partsOf(value);
  const operands = parts.flatMap((part) =>
    part.kind === "read" && part.at === undefined ? [part.operand] : [],
  );
  const numbers = parts.flatMap((part) => (part.kind === "number" ? [part.value] : []));
  if (operands.length !== 2 || operands.length + numbers.length !== parts.length) return undefined;
  const known = isExact ? numbers.map(standInNumber) : numbers;
  return { operands, factor: product(known) };
}

function partsOf(value: Expr): readonly Expr[] {
  return value.kind === "apply" && value.function === "mul" ? value.args.flatMap(partsOf) : [value];
}

/** Whether a row loop has the shortest stride in the result, instead of a column loop. */
function isTurned({ rows, columns }: ProductShape): boolean {
  const least = (dims: readonly ProductDim[]) => Math.min(...dims.map(({ strides }) => strides[2]));
  return least(rows) < least(columns);
}

/** The product with rows and columns exchanged. */
function turned({ rows, columns, batches, inner, operands, factor }: ProductShape): ProductShape {
  const turn = (dims: readonly ProductDim[]) =>
    dims.map(({ length, strides: [a, b, c] }): ProductDim => ({ length, strides: [b, a, c] }));
  return {
    ...{ rows: turn(columns), columns: turn(rows), batches: turn(batches), inner: turn(inner) },
    ...{ operands: [operands[1], operands[0]], factor },
  };
}

/** Product in which loops that continue each other are joined. */
function merged(shape: ProductShape): ProductShape {
  const { rows, columns, batches, inner } = shape;
  const ordered = inner.toSorted((a, b) => b.strides[0] - a.strides[0]);
  const [r, c, b, i] = [rows, columns, batches, ordered].map(joinedDims);
  return { ...shape, rows: r ?? [], columns: c ?? [], batches: b ?? [], inner: i ?? [] };
}

function joinedDims(dims: readonly ProductDim[]): readonly ProductDim[] {
  const joined: ProductDim[] = [];
  for (const dim of dims) {
    const outer = joined.at(-1);
    const goesOn = outer?.strides.every(
      (stride, at) => stride === (dim.strides[at] ?? 0) * dim.length,
    );
    if (outer === undefined || goesOn !== true) joined.push(dim);
    else joined[joined.length - 1] = { ...dim, length: outer.length * dim.length };
  }
  return joined;
}
