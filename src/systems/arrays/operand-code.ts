import type { BoundCall, CallOperand } from "#core/ir";
import type { Expr } from "#core/ir/body";
import { type Dialect, type Length, productOf } from "./dialect.ts";
import { type HeldBlocks, longestBlock, sameBlocksAlong } from "./held-blocks.ts";
import { blockStart, type LocalAxes, ownPlaces } from "./local-axes.ts";
import type { MeshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import {
  atom,
  bracketed,
  broadcastable,
  type Labelled,
  ordered,
  unionOf,
} from "./python/labelled.ts";
import { tuple } from "./python/python-names.ts";

/** Facts about a body that operand code needs. */
interface Surroundings {
  /** Global indices along an axis or loop. */
  readonly indicesOf: (axis: string) => Labelled;
  readonly valueOf: (expr: Expr, order: readonly string[]) => Labelled;
  /** Length of an axis or loop on a device. */
  readonly lengthOf: (axis: string) => Length;
}

/** Scope in which operands are written. */
export interface OperandScope {
  readonly dialect: Dialect;
  readonly axes: LocalAxes;
  /** Operand variables by position; `undefined` for a non-tensor. */
  readonly operands: readonly (string | undefined)[];
  /** Local shapes of the operands, by position. */
  readonly shapes: readonly (readonly Length[])[];
  /** Blocks of each operand, by position; `undefined` for a replicated operand. */
  readonly blocks: readonly (HeldBlocks | undefined)[];
  readonly mesh: MeshAtoms;
}

/** A tensor operand with its local sizes. */
interface Held {
  readonly operand: CallOperand;
  readonly name: string;
  readonly local: readonly Length[];
  readonly blocks: HeldBlocks | undefined;
}

/** Code that reads operands: whole along the index axes, or element by element. */
export class OperandCode {
  /** Whether the file has to define `element`. */
  needsElement = false;
  private readonly call: BoundCall;
  private readonly scope: OperandScope;
  private readonly around: Surroundings;

  constructor(call: BoundCall, scope: OperandScope, around: Surroundings) {
    this.call = call;
    this.scope = scope;
    this.around = around;
  }

  /** @throws NotWritten when the operand is no tensor */
  private held(at: number): Held {
    const operand = this.call.inputs[at];
    const name = this.scope.operands[at];
    const local = this.scope.shapes[at];
    if (operand === undefined || name === undefined || local === undefined)
      throw new NotWritten("an operand is no tensor");
    return { operand, name, local, blocks: this.scope.blocks[at] };
  }

  /** A whole operand with one dim per index axis. */
  whole(at: number): Labelled {
    const held = this.held(at);
    const { operand, local } = held;
    const name = this.window(held);
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

  /** A whole operand in another shape. */
  reshaped(at: number, shape: readonly Length[]): Labelled {
    const held = this.held(at);
    const name = this.window(held);
    return atom(shape.join() === held.local.join() ? name : `${name}.reshape(${tuple(shape)})`);
  }

  /** Slice of an operand that the operator reads, when the device holds more. */
  private window({ operand, name, blocks }: Held): string {
    if (blocks === undefined || blocks.isEven) return name;
    return operand.dims.reduce((code, { identifiers }, dim) => {
      const [axis = ""] = identifiers;
      const read = this.scope.axes.blockOf({ axis });
      const held = blocks.dims[dim];
      if (read === undefined || held === undefined || identifiers.length > 1) return code;
      if (sameBlocksAlong(read, held, this.scope.mesh)) return code;
      const { dialect } = this.scope;
      const [from, to] = [held, read].map((block) => blockStart(block, dialect, name)?.code ?? "0");
      const start = from === "0" ? `${to}` : `${to} - ${from}`;
      return dialect.narrowed(code, dim, start, this.scope.axes.lengthOf({ axis }));
    }, name);
  }

  /** Elements of an operand at computed indices; out of range they are zero. */
  element(at: number, indices: readonly Expr[], order: readonly string[]): Labelled {
    const held = this.held(at);
    const plain = this.plainAxes(held, indices);
    if (plain !== undefined) return ordered(plain, order, this.scope.dialect.transposed);
    const slice = this.slice(held, indices);
    if (slice !== undefined) return ordered(slice, order, this.scope.dialect.transposed);
    const places = indices.map((index, dim) => this.place(index, held, dim, order));
    const axes = unionOf(places, order);
    this.needsElement = true;
    const code = places.map((place) => broadcastable(place, axes).code).join(", ");
    return atom(`element(${this.withoutPadding(held)}, ${code})`, axes);
  }

  /** An operand whose padding is zero, like elements out of range. */
  private withoutPadding({ name, local, blocks }: Held): string {
    const { dialect } = this.scope;
    if (blocks === undefined || blocks.isEven || !dialect.padsBlocks) return name;
    const places = local.map((_, dim) => `#${dim}`);
    return blocks.dims.reduce((code, block, dim) => {
      const own = ownPlaces(block, dialect);
      if (own === undefined) return code;
      const condition = broadcastable({ ...own, axes: [`#${dim}`] }, places);
      return dialect.chosen(condition, code, "0");
    }, name);
  }

  /**
   * An operand that is read whole: per dim one index over the whole local dim, or its two digits.
   */
  private plainAxes(held: Held, indices: readonly Expr[]): Labelled | undefined {
    const { name, local, blocks } = held;
    const views = indices.map((index, dim) => this.viewOf(index, held, dim));
    const known = views.filter((view) => view !== undefined);
    const axes = known.flat();
    if (known.length < views.length || new Set(axes).size < axes.length) return undefined;
    if (known.every(({ length }) => length === 1)) return atom(name, axes);
    if (blocks?.isEven === false) return undefined;
    const shape = axes.map((axis) => this.around.lengthOf(axis));
    return local.length === 0 ? atom(name) : atom(`${name}.reshape(${tuple(shape)})`, axes);
  }

  /** A slice of dims that are whole on the device, each along an axis of its own: `x[:, 4:8]`. */
  private slice(held: Held, indices: readonly Expr[]): Labelled | undefined {
    if (held.blocks?.isEven === false) return undefined;
    const runs = indices.map((index, dim) => this.run(index, held, dim));
    const known = runs.filter((run) => run !== undefined);
    const axes = known.map(({ axis }) => axis);
    if (known.length < runs.length || new Set(axes).size < axes.length) return undefined;
    const texts = known.map(({ text }) => text);
    const last = texts.findLastIndex((text) => text !== ":");
    const slice = last < 0 ? "" : `[${texts.slice(0, last + 1).join(", ")}]`;
    return atom(`${held.name}${slice}`, axes);
  }

  /** Slice of a dim for an index that is an axis, or an axis plus a number. */
  private run(
    index: Expr,
    held: Held,
    dim: number,
  ): { readonly axis: string; readonly text: string } | undefined {
    const [whole, ...others] = this.viewOf(index, held, dim) ?? [];
    if (whole !== undefined && others.length === 0) return { axis: whole, text: ":" };
    const { local, operand, blocks } = held;
    const length = operand.shape[dim] ?? 0;
    if (local[dim] !== length || (blocks?.dims[dim]?.axes.length ?? 0) > 0) return undefined;
    const shifted = shiftOf(index);
    const axis = shifted && this.around.indicesOf(shifted.axis).axes[0];
    if (axis === undefined || this.scope.axes.blockOf({ axis }) !== undefined) return undefined;
    const count = this.around.lengthOf(axis);
    const { by = 0 } = shifted ?? {};
    if (typeof count === "string" || by < 0 || by + count > length) return undefined;
    return { axis, text: `${by === 0 ? "" : by}:${by + count === length ? "" : by + count}` };
  }

  /** Axes that together run over a whole dim, outermost first; `undefined` for any other index. */
  private viewOf(
    index: Expr,
    { operand: { dims }, local, blocks }: Held,
    dim: number,
  ): readonly string[] | undefined {
    if (index.kind === "number") return index.value === 0 && local[dim] === 1 ? [] : undefined;
    const digits = digitsOf(index);
    if (digits !== undefined && blocks?.isEven !== false) {
      const { outer, inner, step } = digits;
      const isWhole =
        this.around.lengthOf(inner) === step &&
        productOf([this.around.lengthOf(outer), step]) === local[dim];
      return isWhole ? [outer, inner] : undefined;
    }
    if (index.kind !== "index") return undefined;
    const own = this.around.indicesOf(index.axis).axes[0];
    const isWhole = own !== undefined && this.around.lengthOf(own) === local[dim];
    const [identifier] = dims[dim]?.identifiers ?? [];
    const isOwn =
      identifier === own || identifier === undefined || !this.scope.axes.has(identifier);
    return isWhole && isOwn && this.isSameBlock(own, blocks, dim) ? [own] : undefined;
  }

  /** Whether a device's block of a dim equals its block of an axis. */
  private isSameBlock(axis: string, blocks: HeldBlocks | undefined, dim: number): boolean {
    const held = blocks?.dims[dim];
    if (blocks === undefined || blocks.isEven || held === undefined) return true;
    const read = this.scope.axes.blockOf({ axis });
    return read !== undefined
      ? sameBlocksAlong(read, held, this.scope.mesh)
      : longestBlock(held) === this.around.lengthOf(axis) && held.axes.length === 0;
  }

  /** An index along a dim, relative to the device's block. */
  private place(
    index: Expr,
    { operand: { dims, shape }, name, local, blocks }: Held,
    dim: number,
    order: readonly string[],
  ): Labelled {
    const held = blocks?.dims[dim];
    const isWhole = local[dim] === shape[dim] && (held === undefined || held.axes.length === 0);
    if (isWhole) return this.around.valueOf(index, order);
    const [axis] = dims[dim]?.identifiers ?? [];
    const isOwn = index.kind === "index" && index.axis === axis;
    if (isOwn && axis !== undefined && this.isSameBlock(axis, blocks, dim))
      return atom(this.scope.dialect.indices(local[dim] ?? 1), [axis]);
    const place = this.around.valueOf(index, order);
    const start =
      held !== undefined
        ? blockStart(held, this.scope.dialect, name)
        : axis && this.scope.axes.startOf(axis);
    if (!start) return place;
    return { ...place, code: `${bracketed(place, 1)} - ${start.code}`, binds: 2 };
  }
}

/** An index of the form axis plus integer. */
function shiftOf(index: Expr): { readonly axis: string; readonly by: number } | undefined {
  if (index.kind === "index") return { axis: index.axis, by: 0 };
  if (index.kind !== "apply" || index.function !== "add" || index.args.length !== 2)
    return undefined;
  const axis = index.args.find((arg) => arg.kind === "index");
  const by = index.args.find((arg) => arg.kind === "number");
  return axis?.kind === "index" && by?.kind === "number" && Number.isInteger(by.value)
    ? { axis: axis.axis, by: by.value }
    : undefined;
}

/** An index of two digits, `outer * step + inner`. */
function digitsOf(
  index: Expr,
): { readonly outer: string; readonly inner: string; readonly step: number } | undefined {
  if (index.kind !== "apply" || index.function !== "add") return undefined;
  const [scaled, inner] = index.args;
  if (scaled?.kind !== "apply" || scaled.function !== "mul" || inner?.kind !== "index")
    return undefined;
  const outer = scaled.args.find((arg) => arg.kind === "index");
  const step = scaled.args.find((arg) => arg.kind === "number");
  if (outer?.kind !== "index" || step?.kind !== "number") return undefined;
  return { outer: outer.axis, inner: inner.axis, step: step.value };
}
