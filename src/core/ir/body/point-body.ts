import type { Projection } from "#core/indexspace";
import type { BoundCall, CallOperand } from "../call.ts";
import type { Operand, Operator, PointKernel, TensorId } from "../graph.ts";
import {
  apply,
  type Body,
  type Definition,
  type Expr,
  index,
  type Loop,
  number,
  positionName,
  read,
  type Table,
  table,
} from "./body.ts";
import { add, mul, quotient, select, sub, within } from "./expressions.ts";
import { type BoundPoint, bindPoint, isOwnLoop } from "./point-kernel.ts";

/** One dim of the block that an index point writes: a loop over its cells. */
export interface BlockLoop {
  readonly axis: string;
  readonly size: number;
  /** The tensor dim along which it runs. */
  readonly dim: number;
  /** Identifiers whose index is a digit of the loop's: `⌊index / divisor⌋ mod size`. */
  readonly digits: readonly {
    readonly axis: string;
    readonly divisor: number;
    readonly size: number;
  }[];
}

/** The cells of a result that each index point writes: one block. */
export interface PointOutput {
  readonly projection: Projection;
  readonly loops: readonly BlockLoop[];
}

/** The computation of an operator with a point kernel. */
export interface PointBody {
  readonly call: BoundCall;
  /** Definitions at one index point; an output's definition is for one cell of its block. */
  readonly body: Body;
  readonly outputs: readonly PointOutput[];
}

/**
 * The body of a kernel that runs at every index point, with reads in the tensors' own coordinates:
 * at the point's projection, plus the place inside the block. What the kernel reads outside of its
 * block is 0, as outside of a tensor.
 */
export function pointBody(
  operator: Operator,
  kernel: PointKernel,
  shapeOf: (tensor: TensorId) => readonly number[],
): PointBody {
  const bound = bindPoint(operator, kernel);
  if (bound === undefined) throw new Error(`${operator.name} does not fit its kernel`);
  const lift = new Lift(operator, kernel, bound);
  const operandOf = ({ tensor, dims }: Operand): CallOperand => ({ shape: shapeOf(tensor), dims });
  const call: BoundCall = {
    inputs: operator.inputs.map(operandOf),
    outputs: operator.outputs.map(operandOf),
    axes: operator.axes,
    attributes: operator.attributes,
  };
  return {
    call,
    body: lift.body(bound.entry.body(bound.call)),
    outputs: operator.outputs.map(({ projection = [] }, at) => ({
      projection,
      loops: lift.loopsOf(bound.places[at] ?? [], bound.call.outputs[at]),
    })),
  };
}

/** Rewrites expressions over one block as expressions over the whole index. */
class Lift {
  private readonly operator: Operator;
  private readonly kernel: PointKernel;
  private readonly bound: BoundPoint;
  /** Lengths of the axes and loops inside the block. */
  private readonly sizes = new Map<string, number>();
  /** Axes of the operator along which the kernel sums itself: a device runs over its own part. */
  private readonly shared: ReadonlySet<string>;

  constructor(operator: Operator, kernel: PointKernel, bound: BoundPoint) {
    this.operator = operator;
    this.kernel = kernel;
    this.bound = bound;
    for (const { name, size } of bound.call.axes) this.sizes.set(name, size);
    const own = operator.axes.filter((axis) => isOwnLoop(axis, bound.call));
    this.shared = new Set(own.map(({ name }) => name));
  }

  body({ tables, outputs }: Body): Body {
    return {
      tables: tables.map((each) => this.table(each)),
      outputs: outputs.map((definition, at) => this.output(definition, at)),
    };
  }

  loopsOf(
    places: readonly (number | undefined)[],
    output: CallOperand | undefined,
  ): readonly BlockLoop[] {
    return places.flatMap((place, dim): BlockLoop[] => {
      if (place === undefined || output === undefined) return [];
      let divisor = 1;
      const digits = [...(output.dims[place]?.identifiers ?? [])].reverse().flatMap((name) => {
        const size = this.sizes.get(name) ?? Number(name);
        const digit = { axis: inside(name), divisor, size };
        divisor *= size;
        return this.bound.call.axes.some((axis) => axis.name === name) ? [digit] : [];
      });
      const size = output.shape[place] ?? 1;
      return [{ axis: inside(positionName(place)), size, dim, digits }];
    });
  }

  /** A table has its entries at every index point. */
  private table({ name, axes, ...definition }: Table): Table {
    this.note(axes);
    const points = this.operator.axes
      .filter((axis) => !this.shared.has(axis.name))
      .map((axis) => ({ axis: axis.name }));
    return {
      name,
      axes: [...points, ...axes.map((loop) => this.loop(loop))],
      ...this.definition(definition),
    };
  }

  private output(definition: Definition, at: number): Definition {
    const { shape = [] } = this.bound.call.outputs[at] ?? {};
    for (const [dim, size] of shape.entries()) this.sizes.set(positionName(dim), size);
    return this.definition(definition);
  }

  private definition({ over, combine, value }: Definition): Definition {
    this.note(over);
    return { over: over.map((loop) => this.loop(loop)), combine, value: this.expr(value) };
  }

  private note(loops: readonly Loop[]): void {
    for (const { axis, size } of loops) if (size !== undefined) this.sizes.set(axis, size);
  }

  private loop({ axis, size = this.sizes.get(axis) ?? 1 }: Loop): Loop {
    return this.shared.has(axis) ? { axis } : { axis: inside(axis), size };
  }

  private expr(expr: Expr): Expr {
    switch (expr.kind) {
      case "number":
        return expr;
      case "index":
        return this.index(expr.axis);
      case "table":
        return table(expr.name);
      case "read":
        return this.read(expr.operand, expr.at);
      case "apply":
        return rebuilt(
          expr.function,
          expr.args.map((arg) => this.expr(arg)),
        );
    }
  }

  private index(axis: string): Expr {
    if (this.shared.has(axis)) return index(axis);
    return this.sizes.get(axis) === 1 ? number(0) : index(inside(axis));
  }

  private read(parameter: number, at: readonly Expr[] | undefined): Expr {
    const operand = this.kernel.order[parameter];
    const { dims = [], shape = [] } = this.bound.call.inputs[parameter] ?? {};
    if (operand === undefined) throw new Error(`no operand for parameter ${parameter}`);
    const places = at?.map((each) => this.expr(each)) ?? dims.map((dim) => this.placeOf(dim));
    const { projection = [] } = this.operator.inputs[operand] ?? {};
    const leading = this.bound.leading[parameter] ?? 0;
    const whole = projection.map(({ coefficients, offset }, dim) => {
      const steps = coefficients.map((step, axis) => {
        const name = this.operator.axes[axis]?.name ?? "";
        return step === 0 ? 0 : mul(index(name), step);
      });
      return add(...steps, offset, places[leading + dim] ?? 0);
    });
    const doubtful = places.flatMap((place, dim) => {
      const size = shape[dim] ?? 1;
      return this.isWithin(place, size) ? [] : [within(place, 0, size)];
    });
    const value = read(operand, whole);
    return doubtful.length === 0 ? value : select(mul(...doubtful), value, 0);
  }

  /** The index along a dim of the block, from the identifiers of its bracket. */
  private placeOf({ identifiers }: CallOperand["dims"][number]): Expr {
    return identifiers.reduce<Expr>((outer, name) => {
      const size = this.sizes.get(name);
      return size === undefined ? outer : add(mul(outer, size), this.index(name));
    }, number(0));
  }

  /** Whether an index certainly lies inside a dim. */
  private isWithin(place: Expr, size: number): boolean {
    const [low, high] = this.boundsOf(place);
    return low >= 0 && high < size;
  }

  private boundsOf(expr: Expr): readonly [number, number] {
    const unknown = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
    if (expr.kind === "number") return [expr.value, expr.value];
    if (expr.kind === "index") {
      const own = expr.axis.startsWith(prefix) ? expr.axis.slice(prefix.length) : expr.axis;
      const size = this.sizes.get(own);
      return size === undefined ? unknown : [0, size - 1];
    }
    if (expr.kind !== "apply") return unknown;
    const [first = unknown, second = unknown] = expr.args.map((arg) => this.boundsOf(arg));
    if (expr.function === "add") return [first[0] + second[0], first[1] + second[1]];
    if (expr.function === "sub") return [first[0] - second[1], first[1] - second[0]];
    if (expr.function !== "mul") return unknown;
    const corners = first.flatMap((a) => second.map((b) => a * b));
    return corners.some(Number.isNaN) ? unknown : [Math.min(...corners), Math.max(...corners)];
  }
}

const prefix = "@";

/** Name of an axis inside a block, distinct from the axes of the index. */
function inside(axis: string): string {
  return `${prefix}${axis}`;
}

/** A function applied to rewritten arguments, simplified where they have become numbers. */
function rebuilt(name: Parameters<typeof apply>[0], args: readonly Expr[]): Expr {
  const [a, b] = args;
  if (a === undefined || b === undefined) return apply(name, ...args);
  switch (name) {
    case "add":
      return add(a, b);
    case "mul":
      return mul(a, b);
    case "sub":
      return sub(a, b);
    case "quotient":
      return b.kind === "number" ? quotient(a, b.value) : apply(name, a, b);
    default:
      return apply(name, ...args);
  }
}
