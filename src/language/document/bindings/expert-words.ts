// Interface of expert handling that tensors, lists and functions call.

import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import type { Rounds } from "../trace/rounds.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import type { PlaceRow } from "./place-row.ts";

/** Loops over experts, and the values of the single round that runs for all experts. */
export interface ExpertWords {
  /** Whether one round currently runs for all rounds of a loop. */
  readonly areGrouped: boolean;
  readonly rounds: Rounds | undefined;
  readonly rows: RowWords;
  readonly parts: PartWords;
  /** Marks a result tensor as dependent on a round's number, if the value is that number. */
  note(value: Value | undefined, result: Value | undefined): void;
  /** Leaves the first round of a loop when its number decides which elements are picked. */
  leaveRoundOf(tensor: TracedTensor | undefined): void;
  /** Leaves the first round of the innermost watched loop. */
  leaveRound(): void;
  /** The round's slice of a tensor whose dim 0 holds the experts. */
  inRound(tensor: TracedTensor): HostObject;
  /** Removes an operator of the round that nothing reads. */
  takeBack(operator: TracedOperator | undefined): void;
  /**
   * Notes a tensor of zeros (or an empty one) that a result replaces, and gives the result its
   * name.
   */
  noteFilled(tensor: TracedTensor | undefined, made: TracedTensor | undefined): void;
  /** Reports once that all experts are assumed to get equally many tokens. */
  sayEqualLoads(context: Context, span: Span): void;
}

/** Tokens of each expert, picked by position. */
interface RowWords {
  holds(value: Value): boolean | undefined;
  asRows(key: Value, at: At): readonly PlaceRow[] | undefined;
  take(value: Value, rows: readonly PlaceRow[], dim: number, at: At): Value;
  add(value: Value, rows: readonly PlaceRow[], made: Value, at: At): Value;
  set(self: HostObject, rows: readonly PlaceRow[], value: Value, at: At): Value | undefined;
}

/** Rows sorted by expert. */
interface PartWords {
  countsOf(value: Value): Value | undefined;
  partsOf(value: Value, sizes: Value | undefined, at: At): Value | undefined;
  partAlone(self: HostObject, at: At): HostObject;
  sliceOfRound(value: Value, key: Value, at: At): Value | undefined;
  joinedRounds(values: readonly Value[], at: At): Value | undefined;
  isLeftOver(value: Value): boolean;
  sayLeftOver(value: Value, at: At): Value;
}
