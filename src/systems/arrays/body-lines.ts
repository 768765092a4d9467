import { type BoundCall, type DType, isReshape } from "#core/ir";
import {
  type Definition,
  type Expr,
  type Loop,
  type OperatorBody,
  type Table,
  usedTables,
} from "#core/ir/body";
import { applied, compared } from "./apply-code.ts";
import { type Length, productOf } from "./dialect.ts";
import { NotWritten } from "./not-written.ts";
import { OperandCode, type OperandScope } from "./operand-code.ts";
import { conditionOf, equalityOf, lookOf } from "./patterns.ts";
import { contracted, factorsOf } from "./python/contraction-code.ts";
import {
  atom,
  bracketed,
  broadcastable,
  type Labelled,
  ordered,
  plainNumber,
} from "./python/labelled.ts";
import { type PythonNames, tuple } from "./python/python-names.ts";
import { ResultAxes } from "./result-axes.ts";
import { partKey, sharedParts } from "./shared-parts.ts";

/** Scope in which a body is written. */
export interface BodyScope extends OperandScope {
  readonly names: PythonNames;
  /** Dtype to which its floats are promoted. */
  readonly dtype: DType;
  /** Variables of the results that have this dtype. */
  readonly results: readonly (string | undefined)[];
  /** Whether the operator updates a parameter: the arguments of its roots are means of squares. */
  readonly isUpdate?: boolean;
}

/** Assignments, and the result expression of each output. */
export interface BodyLines {
  readonly lines: readonly string[];
  readonly results: readonly Labelled[];
  /** Whether the file has to define `element`. */
  readonly needsElement: boolean;
}

/**
 * The lines by which a device computes an operator on its own blocks: tables as variables, then one
 * expression per output.
 *
 * @throws NotWritten when the body cannot be written with whole arrays
 */
export function bodyLines({ call, body, points }: OperatorBody, scope: BodyScope): BodyLines {
  const writer = new BodyWriter(call, scope, points);
  if (points === undefined && isReshape(call, body))
    return { lines: [], results: [writer.reshaped()], needsElement: false };
  for (const table of usedTables(body)) writer.table(table);
  for (const { value, output } of sharedParts(call, body)) {
    writer.part(value, output === undefined ? undefined : scope.results[output]);
  }
  const results = body.outputs.map((definition, at) => writer.output(definition, at));
  return { lines: writer.lines, results, needsElement: writer.operands.needsElement };
}

class BodyWriter {
  readonly lines: string[] = [];
  readonly operands: OperandCode;
  private readonly call: BoundCall;
  private readonly scope: BodyScope;
  private readonly tables = new Map<string, Labelled>();
  private readonly loops = new Map<string, Loop>();
  private readonly results: ResultAxes;
  private readonly parts = new Map<string, Labelled>();

  constructor(call: BoundCall, scope: BodyScope, points?: OperatorBody["points"]) {
    this.call = call;
    this.scope = scope;
    this.results = new ResultAxes(call, scope.axes, points, this.loops);
    this.operands = new OperandCode(call, scope, {
      indicesOf: (axis) => this.index(axis),
      valueOf: (expr, order) => this.expression(expr, order),
      lengthOf: (axis) => this.lengthOf(axis),
    });
  }

  /** Keeps an intermediate result in a variable. */
  table({ name, axes, ...definition }: Table): void {
    for (const loop of axes) if (loop.size !== undefined) this.loops.set(loop.axis, loop);
    const kept = axes.map(({ axis }) => axis);
    const value = this.defined(definition, kept);
    const variable = this.scope.names.isFree(name) ? name : `${name}_`;
    this.lines.push(`${variable} = ${value.code}`);
    this.tables.set(name, { ...value, code: variable, binds: 9 });
  }

  /**
   * Hoists a common sub-expression into a variable; if it is a result itself, into that result's
   * variable.
   */
  part(value: Expr, result?: string): void {
    const axes = this.results.axesOf(0);
    const { code, ...made } = this.expression(value, axes);
    const variable = result ?? this.scope.names.fresh("part");
    this.lines.push(`${variable} = ${code}`);
    this.parts.set(partKey(value), { ...made, code: variable, binds: 9 });
  }

  /**
   * Value of a definition for every point of the kept axes; axes on which it does not depend are
   * missing.
   */
  defined({ over, combine, value }: Definition, kept: readonly string[]): Labelled {
    for (const loop of over) this.loops.set(loop.axis, loop);
    if (over.length === 0) return this.expression(value, kept);
    const found = combine === "sum" ? this.found(over, value, kept) : undefined;
    if (found !== undefined) return found;
    const inner = over.map(({ axis }) => axis);
    const order = [...kept, ...inner];
    const factors = combine === "sum" ? factorsOf(value) : [];
    const isProduct = factors.filter(({ kind }) => kind !== "number").length > 1;
    if (isProduct) {
      const arrays = factors.map((factor) =>
        this.counted(this.withoutPadding(this.factor(factor, order), over, "sum")),
      );
      const product = contracted(arrays, kept, inner, this.scope.dialect);
      if (product !== undefined) return this.repeated(product, over, arrays);
    }
    const whole = this.withoutPadding(this.factor(value, order), over, combine);
    const dims = whole.axes.flatMap((axis, dim) => (inner.includes(axis) ? [dim] : []));
    const rest = whole.axes.filter((axis) => !inner.includes(axis));
    const joined =
      dims.length === 0 ? whole : atom(this.scope.dialect.folded(combine, whole, dims), rest);
    const folded = this.ordered(joined, kept);
    return combine === "sum" ? this.repeated(folded, over, [whole]) : folded;
  }

  /**
   * A padded array with its padding replaced by the neutral element of `combine`, for a reduction
   * along axes that are longer than a device's block.
   */
  private withoutPadding(
    array: Labelled,
    over: readonly Loop[],
    combine: Definition["combine"],
  ): Labelled {
    const { dialect, axes } = this.scope;
    return over.reduce((whole, loop) => {
      const own = axes.ownPlaces(loop);
      if (own === undefined || !whole.axes.includes(loop.axis)) return whole;
      const condition = broadcastable(own, whole.axes);
      const neutral = { sum: "0", prod: "1", max: `-${dialect.infinity}`, min: dialect.infinity };
      return atom(
        dialect.chosen(condition, this.counted(whole).code, neutral[combine]),
        whole.axes,
      );
    }, array);
  }

  /** A comparison as a numeric factor. */
  private counted(array: Labelled): Labelled {
    const { dialect, dtype } = this.scope;
    return array.isBool ? atom(dialect.numeric(array, dtype), array.axes) : array;
  }

  /** Writes a sum that selects one index of an operand as a lookup of that element. */
  private found(over: readonly Loop[], value: Expr, kept: readonly string[]): Labelled | undefined {
    const [loop] = over;
    if (loop === undefined || over.length > 1) return undefined;
    const look = lookOf(this.call, value, loop.axis);
    return look && this.operands.element(look.operand, look.at, kept);
  }

  /** Multiplies a sum by the lengths of the loops on which its arrays do not depend. */
  private repeated(sum: Labelled, over: readonly Loop[], arrays: readonly Labelled[]): Labelled {
    const unseen = over.filter(({ axis }) => arrays.every(({ axes }) => !axes.includes(axis)));
    const times = productOf(unseen.map((loop) => this.scope.axes.countOf(loop)));
    if (times === 1) return sum;
    return { code: `${bracketed(sum, 2)} * ${times}`, axes: sum.axes, binds: 3 };
  }

  /** A factor of a contraction keeps its own order of dims. */
  private factor(expr: Expr, order: readonly string[]): Labelled {
    if (expr.kind === "table") return this.tableOf(expr.name);
    if (expr.kind === "read" && expr.at === undefined) return this.operands.whole(expr.operand);
    return this.expression(expr, order);
  }

  /** The first operand, reshaped to the result's local shape on a device. */
  reshaped(): Labelled {
    const { axes } = this.scope;
    const shape = (this.call.outputs[0]?.dims ?? []).map(({ identifiers }) =>
      productOf(identifiers.map((name) => (axes.has(name) ? this.lengthOf(name) : Number(name)))),
    );
    return this.operands.reshaped(0, shape);
  }

  output(definition: Definition, at: number): Labelled {
    const output = this.call.outputs[at];
    if (output === undefined) throw new NotWritten("it has a result without a place");
    const axes = this.results.axesOf(at);
    const value = this.defined(definition, axes);
    const lengths = axes.map((axis) => this.lengthOf(axis));
    const missing = axes.some((axis) => !value.axes.includes(axis));
    const full = missing
      ? { ...value, code: this.scope.dialect.filled(broadcastable(value, axes), lengths), binds: 9 }
      : value;
    const shape = output.dims.map((_, place) =>
      productOf(this.results.axesOfDim(at, place).map((axis) => this.lengthOf(axis))),
    );
    const isPlain = shape.length === axes.length;
    if (isPlain) return full;
    const isScalar = value.axes.length === 0 && !missing;
    const inner = isScalar ? this.scope.dialect.scalar(value.code) : bracketed(full, 8);
    return { ...full, code: `${inner}.reshape(${tuple(shape)})`, binds: 9 };
  }

  private lengthOf(axis: string): Length {
    return this.scope.axes.lengthOf(this.loops.get(axis) ?? { axis });
  }

  private tableOf(name: string): Labelled {
    const known = this.tables.get(name);
    if (known === undefined) throw new NotWritten(`nothing is known of ${name}`);
    return known;
  }

  private expression(expr: Expr, order: readonly string[]): Labelled {
    const part = this.parts.size > 0 ? this.parts.get(partKey(expr)) : undefined;
    if (part !== undefined) return part;
    switch (expr.kind) {
      case "number":
        return expr.setting === undefined
          ? this.number(expr.value)
          : { ...atom(expr.setting.name), isNumber: true };
      case "index":
        return this.index(expr.axis);
      case "table":
        return this.ordered(this.tableOf(expr.name), order);
      case "read":
        return expr.at === undefined
          ? this.ordered(this.operands.whole(expr.operand), order)
          : this.operands.element(expr.operand, expr.at, order);
      case "apply":
        return this.application(expr, order);
    }
  }

  /**
   * In an update, the root of a mean of squares takes its absolute value, so that no optimizer
   * state gives NaN.
   */
  private application(expr: Extract<Expr, { kind: "apply" }>, order: readonly string[]): Labelled {
    const { function: name, args } = expr;
    const same = equalityOf(expr);
    if (same !== undefined) {
      const sides = same.map((side) => this.expression(side, order));
      return compared("==", sides, order);
    }
    const condition = conditionOf(expr);
    if (condition !== undefined) return this.expression(condition, order);
    const arrays = args.map((arg) => this.expression(arg, order));
    const isRoot = this.scope.isUpdate === true && name === "sqrt";
    const safe = isRoot ? [applied("abs", arrays, order, this.scope)] : arrays;
    return applied(name, safe, order, this.scope);
  }

  private ordered(array: Labelled, order: readonly string[]): Labelled {
    return ordered(array, order, this.scope.dialect.transposed);
  }

  private number(value: number): Labelled {
    if (Number.isFinite(value)) return plainNumber(value);
    const { infinity } = this.scope.dialect;
    if (value > 0) return { ...atom(infinity), isNumber: true };
    return { code: `-${infinity}`, axes: [], binds: 4, isNumber: true };
  }

  private index(axis: string): Labelled {
    const dim = /^#(\d+)$/.exec(axis)?.[1];
    const named =
      dim === undefined ? undefined : this.call.outputs[0]?.dims[Number(dim)]?.identifiers;
    const [only] = named ?? [];
    if (named?.length === 1 && only !== undefined && this.scope.axes.has(only)) {
      return this.scope.axes.indicesOf({ axis: only });
    }
    if ((named?.length ?? 0) > 1) throw new NotWritten("it counts along a dim of several axes");
    const loop = this.loops.get(axis);
    if (loop === undefined && dim !== undefined) return plainNumber(0);
    return this.scope.axes.indicesOf(loop ?? { axis });
  }
}
