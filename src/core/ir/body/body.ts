import type { ScalarFunction } from "./scalar.ts";

/**
 * A number at one point of an operator's index space, as data: both engines, and later a kernel
 * generator, read it and share no index code.
 *
 * All indices are those of the whole tensors, never of a device's block. So a causal mask or a
 * vocabulary offset is an ordinary comparison, and a device that holds a part computes that part.
 */
export type Expr =
  /**
   * A constant. With a setting, an exported step receives the value at each step, and this is the
   * value of the first step.
   */
  | { readonly kind: "number"; readonly value: number; readonly setting?: Setting }
  /**
   * The index along an axis of the annotation or a loop of the body's own; in an output also `#d`,
   * the index of the result along its dim d.
   */
  | { readonly kind: "index"; readonly axis: string }
  /**
   * An element of an operand: at its annotated projection, or `at` one index per dim. Outside of
   * the tensor it is 0.
   */
  | { readonly kind: "read"; readonly operand: number; readonly at?: readonly Expr[] }
  /** An entry of an earlier table, at the present point. */
  | { readonly kind: "table"; readonly name: string }
  | {
      readonly kind: "apply";
      readonly function: ScalarFunction;
      readonly args: readonly Expr[];
    };

/**
 * Setting that an optimizer receives at each step: the learning rate, or the bias correction of its
 * means, `1 − βⁿ` after n steps.
 */
export type Setting =
  | { readonly name: "lr" }
  | { readonly name: "correction1" | "correction2"; readonly beta: number };

/** Reduction of the values along a body's loops. */
export type Combine = "sum" | "max" | "min" | "prod";

/**
 * An index axis of the annotation, over the part that a device holds; with a `size`, a loop of the
 * body's own.
 */
export interface Loop {
  readonly axis: string;
  readonly size?: number;
}

/** A value for every point of its result: `value` combined over loops (none: `value` itself). */
export interface Definition {
  readonly over: readonly Loop[];
  readonly combine: Combine;
  readonly value: Expr;
}

/** An intermediate result with one entry per point of its axes. */
export interface Table extends Definition {
  readonly name: string;
  readonly axes: readonly Loop[];
}

/** The computation of an operator: tables in order, then one definition per output. */
export interface Body {
  readonly tables: readonly Table[];
  readonly outputs: readonly Definition[];
}

export function number(value: number): Expr {
  return { kind: "number", value };
}

/** Constant that an exported step receives at each step. */
export function told(value: number, setting: Setting): Expr {
  return { kind: "number", value, setting };
}

export function index(axis: string): Expr {
  return { kind: "index", axis };
}

/** The index of the result along one of its dims. */
export function position(dim: number): Expr {
  return index(positionName(dim));
}

/** The name of the index along a dim of the result. */
export function positionName(dim: number): string {
  return `#${dim}`;
}

export function read(operand: number, at?: readonly Expr[]): Expr {
  return { kind: "read", operand, ...(at !== undefined && { at }) };
}

export function table(name: string): Expr {
  return { kind: "table", name };
}

export function apply(name: ScalarFunction, ...args: readonly Expr[]): Expr {
  return { kind: "apply", function: name, args };
}

/** A body without tables whose only output is a map over the index space. */
export function pointwise(value: Expr): Body {
  return { tables: [], outputs: [mapped(value)] };
}

/** A definition without loops. */
export function mapped(value: Expr): Definition {
  return { over: [], combine: "sum", value };
}

/** A definition that combines over axes of the annotation or loops of its own. */
export function folded(
  combine: Combine,
  over: readonly (string | Loop)[],
  value: Expr,
): Definition {
  return { over: over.map(loopOf), combine, value };
}

/** A table over axes of the annotation or loops of its own. */
export function tabled(
  name: string,
  axes: readonly (string | Loop)[],
  definition: Definition,
): Table {
  return { name, axes: axes.map(loopOf), ...definition };
}

function loopOf(loop: string | Loop): Loop {
  return typeof loop === "string" ? { axis: loop } : loop;
}
