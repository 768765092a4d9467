import type { BoundCall, CallOperand, Expr } from "#core/ir";
import type { Dialect } from "./dialect.ts";
import { atom, bracketed, broadcastable, type Labelled, ordered, unionOf } from "./labelled.ts";
import type { LocalAxes } from "./local-axes.ts";
import { NotWritten } from "./not-written.ts";
import { tuple } from "./python-names.ts";

/** What the body around an operand knows. */
interface Surroundings {
  /** The indices along an axis or a loop, counted in the whole tensor. */
  readonly indicesOf: (axis: string) => Labelled;
  readonly valueOf: (expr: Expr, order: readonly string[]) => Labelled;
  /** How long an axis or a loop is on a device. */
  readonly lengthOf: (axis: string) => number;
}

/** What operands are written with. */
export interface OperandScope {
  readonly dialect: Dialect;
  readonly axes: LocalAxes;
  /** Variables of the operands, by position; undefined for one that is no tensor. */
  readonly operands: readonly (string | undefined)[];
  /** Sizes of the operands on a device, by position. */
  readonly shapes: readonly (readonly number[])[];
}

/** An operand that is a tensor, with the sizes that a device holds. */
interface Held {
  readonly operand: CallOperand;
  readonly name: string;
  readonly local: readonly number[];
}

/** The code that reads operands: whole at their own place, or element by element. */
export class OperandCode {
  /** The file has to define `element`. */
  needsElement = false;
  private readonly call: BoundCall;
  private readonly scope: OperandScope;
  private readonly around: Surroundings;

  constructor(call: BoundCall, scope: OperandScope, around: Surroundings) {
    this.call = call;
    this.scope = scope;
    this.around = around;
  }

  /** @throws NotWritten where an operand is no tensor */
  private held(at: number): Held {
    const operand = this.call.inputs[at];
    const name = this.scope.operands[at];
    const local = this.scope.shapes[at];
    if (operand === undefined || name === undefined || local === undefined)
      throw new NotWritten("an operand is no tensor");
    return { operand, name, local };
  }

  /** An operand at its own place: one dim per index axis. */
  whole(at: number): Labelled {
    const { operand, name, local } = this.held(at);
    const axes = operand.dims.flatMap(({ identifiers }, dim) => {
      const own = identifiers.filter((each) => this.scope.axes.has(each));
      const isSingle = own.length === identifiers.length || (operand.shape[dim] ?? 1) === 1;
      if (!isSingle) throw new NotWritten("a dim of an operand is a number");
      return own;
    });
    if (new Set(axes).size < axes.length) throw new NotWritten("it reads a diagonal");
    if (
      operand.dims.every(({ identifiers }) => identifiers.length === 1) &&
      axes.length === local.length
    )
      return atom(name, axes);
    const shape = axes.map((axis) => this.around.lengthOf(axis));
    return atom(`${name}.reshape(${tuple(shape)})`, axes);
  }

  /** Elements of an operand at indices of their own; outside of the tensor there are zeros. */
  element(at: number, indices: readonly Expr[], order: readonly string[]): Labelled {
    const { operand, name, local } = this.held(at);
    const plain = this.plainAxes(operand, local, indices);
    if (plain !== undefined)
      return ordered(atom(name, plain), order, this.scope.dialect.transposed);
    const places = indices.map((index, dim) => this.place(index, operand, local, dim, order));
    const axes = unionOf(places, order);
    this.needsElement = true;
    const code = places.map((place) => broadcastable(place, axes).code).join(", ");
    return atom(`element(${name}, ${code})`, axes);
  }

  /** The axes of an operand that is read whole: one index per dim, over all that a device holds. */
  private plainAxes(
    { dims }: CallOperand,
    local: readonly number[],
    indices: readonly Expr[],
  ): readonly string[] | undefined {
    const axes = indices.flatMap((index, dim): readonly (string | undefined)[] => {
      if (index.kind !== "index") return [undefined];
      const own = this.around.indicesOf(index.axis).axes[0];
      const isWhole = own !== undefined && this.around.lengthOf(own) === local[dim];
      const [identifier] = dims[dim]?.identifiers ?? [];
      const isOwn =
        identifier === own || identifier === undefined || !this.scope.axes.has(identifier);
      return [isWhole && isOwn ? own : undefined];
    });
    const known = axes.filter((axis) => axis !== undefined);
    return known.length === axes.length && new Set(known).size === known.length ? known : undefined;
  }

  /** An index along a dim, counted in the block of the device. */
  private place(
    index: Expr,
    { dims, shape }: CallOperand,
    local: readonly number[],
    dim: number,
    order: readonly string[],
  ): Labelled {
    if (local[dim] === shape[dim]) return this.around.valueOf(index, order);
    const [axis] = dims[dim]?.identifiers ?? [];
    const isOwn = index.kind === "index" && index.axis === axis;
    if (isOwn) return this.scope.axes.indicesOf({ axis, size: local[dim] ?? 1 });
    const place = this.around.valueOf(index, order);
    const start = axis === undefined ? undefined : this.scope.axes.startOf(axis);
    if (start === undefined || axis === undefined || this.around.lengthOf(axis) !== local[dim])
      throw new NotWritten("it reads a dim that is cut among several axes");
    return { ...place, code: `${bracketed(place, 1)} - ${start.code}`, binds: 2 };
  }
}
