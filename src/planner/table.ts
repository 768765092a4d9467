import type { Both, HubCosts, HubShape } from "./hub.ts";

/**
 * The scope of a table: a few variables, and classes of their values. `maps[k]` takes a value of
 * `scope[k]` to its class.
 */
export interface Shape {
  readonly scope: readonly number[];
  readonly maps: readonly Int32Array[];
  readonly dims: readonly number[];
  /** Tables with equal keys differ at most in their scope. */
  readonly key: number;
}

/** A cost over a few variables, in row-major order of the classes of their values. */
export interface Table extends Shape {
  readonly cost: Float64Array;
}

/** A variable: the cost of each of its values alone. Variables with equal keys have equal costs. */
export interface Variable {
  readonly cost: Float64Array;
  readonly key: number;
}

/** The seconds and bytes of one value, over the unknowns on which they depend (see `Table`). */
export interface ValueTable {
  readonly scope: readonly number[];
  readonly maps: readonly Int32Array[];
  readonly dims: readonly number[];
  readonly seconds: Float64Array;
  readonly bytes: Float64Array;
  /** Costs of a reader beside a hub, in place of `seconds` and `bytes`. */
  readonly hub?: { readonly shape: HubShape; readonly costs: Both<HubCosts> };
  readonly key: number;
}
