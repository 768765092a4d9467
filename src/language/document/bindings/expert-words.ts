// What tensors, lists and functions ask of experts.

import type { Span } from "#core/diagnostics";
import type { Context, HostObject, Value } from "#language/python";
import type { Rounds } from "../trace/rounds.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import type { PlaceRow } from "./place-row.ts";

/** Loops over experts, and what stands in them for the values of all experts. */
export interface ExpertWords {
  /** Whether one round of a loop stands for all of its rounds now. */
  readonly areGrouped: boolean;
  readonly rounds: Rounds | undefined;
  readonly rows: RowWords;
  readonly parts: PartWords;
  /** Notes that a tensor follows from a value, if that is the number of a round. */
  note(value: Value | undefined, result: Value | undefined): void;
  /** Leaves the first round of a loop whose number decides which elements are picked. */
  leaveRoundOf(tensor: TracedTensor | undefined): void;
  /** Leaves the first round of the innermost loop that is watched. */
  leaveRound(): void;
  /** The slice of a tensor, whose first dim is the experts, that belongs to the round's expert. */
  inRound(tensor: TracedTensor): HostObject;
  /** Takes back an operator of the round that nothing reads. */
  takeBack(operator: TracedOperator | undefined): void;
  /** Notes the name and place of zeros (or an empty tensor) that a result is written into. */
  noteFilled(tensor: TracedTensor | undefined, made: TracedTensor | undefined): void;
  /** Says once that all experts are taken to get the same number of tokens. */
  sayEqualLoads(context: Context, span: Span): void;
}

/** The tokens of each expert, picked by their places. */
interface RowWords {
  holds(value: Value): boolean | undefined;
  asRows(key: Value, at: At): readonly PlaceRow[] | undefined;
  take(value: Value, rows: readonly PlaceRow[], dim: number, at: At): Value;
  add(value: Value, rows: readonly PlaceRow[], made: Value, at: At): Value;
  set(self: HostObject, rows: readonly PlaceRow[], value: Value, at: At): Value | undefined;
}

/** Rows that lie in the order of their experts. */
interface PartWords {
  countsOf(value: Value): Value | undefined;
  partsOf(value: Value, sizes: Value | undefined, at: At): Value | undefined;
  partAlone(self: HostObject, at: At): HostObject;
  sliceOfRound(value: Value, key: Value, at: At): Value | undefined;
  joinedRounds(values: readonly Value[], at: At): Value | undefined;
  isLeftOver(value: Value): boolean;
  sayLeftOver(value: Value, at: At): Value;
}
