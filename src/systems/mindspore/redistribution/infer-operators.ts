import { axisSizeOf } from "./flat-layout.ts";

/** A logical operator of a redistribution, in MindSpore's terms. */
export type LogicalOperator =
  | { readonly op: "Reshape"; readonly shape: readonly number[] }
  | {
      readonly op: "SplitByAxis";
      readonly count: number;
      readonly dim: number;
      readonly axis: number;
    }
  | {
      readonly op: "ConcatByAxis";
      readonly dim: number;
      readonly axis: number;
      readonly count: number;
    }
  | {
      readonly op: "PermuteByAxis";
      readonly splitDim: number;
      readonly concatDim: number;
      readonly axis: number;
      readonly count: number;
    };

/** Operators that change the tensor map on one device matrix. */
export type MovingOperator = Exclude<LogicalOperator, { readonly op: "Reshape" }>;

/**
 * The orders in which MindSpore 2.10 visits n dims, given by its hash map, indexed by n - 4
 * (mindspore.md §3.4). Fewer dims are visited in index order; so are more dims here, since their
 * order is not known.
 */
const visitOrders: readonly (readonly number[])[] = [
  [0, 1, 3, 2],
  [0, 1, 4, 3, 2],
  [0, 1, 4, 5, 3, 2],
  [0, 4, 3, 1, 5, 6, 2],
  [0, 4, 3, 1, 5, 6, 7, 2],
  [0, 4, 8, 3, 1, 5, 6, 7, 2],
  [0, 4, 8, 3, 1, 5, 6, 7, 9, 2],
  [0, 4, 8, 3, 10, 1, 5, 6, 7, 9, 2],
  [0, 4, 8, 3, 11, 10, 1, 5, 6, 7, 9, 2],
  [0, 12, 4, 3, 5, 6, 7, 9, 8, 11, 10, 1, 2],
  [0, 12, 4, 3, 13, 5, 6, 7, 9, 8, 11, 10, 1, 2],
];

/** The state of operator inference. */
interface State {
  readonly deviceMatrix: readonly number[];
  readonly target: readonly number[];
  readonly allToAll: boolean;
  /** Dims that lack their target axis, in visiting order, with the axis that splits them now. */
  readonly pending: Map<number, number>;
  readonly operators: MovingOperator[];
}

/**
 * The operators from one tensor map to another on a common device matrix, exactly as MindSpore
 * infers them (mindspore.md §3.4).
 *
 * @param allToAll whether a dim may take over an axis by PermuteByAxis instead of Concat and Split
 */
export function inferOperators(
  deviceMatrix: readonly number[],
  from: readonly number[],
  to: readonly number[],
  allToAll: boolean,
): readonly MovingOperator[] {
  const order = visitOrders[from.length - 4] ?? from.map((_, dim) => dim);
  const pending = new Map(order.map((dim) => [dim, from[dim] ?? -1]));
  const state: State = { deviceMatrix, target: to, allToAll, pending, operators: [] };
  while (state.pending.size > 0) {
    const didAdd = untilNothing(state, (each) => {
      splitPass(each);
      untilNothing(each, permutePass);
    });
    if (!concatPass(state) && !didAdd) breakCycle(state);
  }
  return state.operators;
}

/** Repeats a pass until it adds no operator; returns whether it added any. */
function untilNothing(state: State, pass: (state: State) => void): boolean {
  const start = state.operators.length;
  let before = -1;
  while (state.operators.length !== before && state.pending.size > 0) {
    before = state.operators.length;
    pass(state);
  }
  return state.operators.length > start;
}

/** Splits dims whose target axis no other dim holds. */
function splitPass(state: State): void {
  for (const [dim, axis] of [...state.pending]) {
    const wanted = state.target[dim] ?? -1;
    if (axis === wanted) state.pending.delete(dim);
    else if (axis === -1 && holderOf(state, wanted) === undefined) {
      state.operators.push(split(state, dim, wanted));
      state.pending.delete(dim);
    }
  }
}

/** Moves target axes of unsplit dims from the dims that hold them. */
function permutePass(state: State): void {
  for (const dim of [...state.pending.keys()]) {
    const wanted = state.target[dim] ?? -1;
    const axis = state.pending.get(dim);
    const holder = holderOf(state, wanted);
    if (axis === wanted) state.pending.delete(dim);
    else if (axis === -1 && holder !== undefined) {
      if (state.allToAll) {
        const count = axisSizeOf(state.deviceMatrix, wanted);
        const dims = { splitDim: dim, concatDim: holder };
        state.operators.push({ op: "PermuteByAxis", ...dims, axis: wanted, count });
      } else {
        state.operators.push(concat(state, holder, wanted), split(state, dim, wanted));
      }
      state.pending.delete(dim);
      state.pending.set(holder, -1);
    }
  }
}

/** Gathers dims whose axis the target does not use; returns whether it added an operator. */
function concatPass(state: State): boolean {
  const start = state.operators.length;
  for (const [dim, axis] of [...state.pending]) {
    if (axis === -1 || state.target.includes(axis)) continue;
    state.operators.push(concat(state, dim, axis));
    if (state.target[dim] === -1) state.pending.delete(dim);
    else state.pending.set(dim, -1);
  }
  return state.operators.length > start;
}

/** Gathers the first pending dim, to break a cycle of axes. */
function breakCycle(state: State): void {
  const [first] = state.pending;
  if (first === undefined) return;
  const [dim, axis] = first;
  state.operators.push(concat(state, dim, axis));
  state.pending.set(dim, -1);
}

function holderOf(state: State, axis: number): number | undefined {
  return [...state.pending].find(([, held]) => held === axis)?.[0];
}

function split({ deviceMatrix }: State, dim: number, axis: number): MovingOperator {
  return { op: "SplitByAxis", count: axisSizeOf(deviceMatrix, axis), dim, axis };
}

function concat({ deviceMatrix }: State, dim: number, axis: number): MovingOperator {
  return { op: "ConcatByAxis", dim, axis, count: axisSizeOf(deviceMatrix, axis) };
}
