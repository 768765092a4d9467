import type { TensorId } from "#core/ir";
import type { Size } from "../mark.ts";
import type { OpenRun } from "./canvas-folds.ts";
import type { At, LeftStack } from "./left-stacks.ts";
import type { Arrival, EntryBadge } from "./rank-gap.ts";

/** Column of something on a line between cards; narrow where others stand beside it. */
export interface InColumn {
  readonly column: number;
  readonly isNarrow: boolean;
}

/** Row of the card beside which a glyph or a stack of glyphs stands. */
export interface OfRow {
  readonly row: number;
}

/** Heights of everything, before any x is known. */
export interface CanvasRows {
  readonly top: At<TensorId> | undefined;
  readonly cards: readonly (At<number> & Size)[];
  /** Heads and frames of open runs, by their place among them. */
  readonly runs: readonly (At<OpenRun> & { readonly bottom: number })[];
  readonly badges: readonly (At<number> & InColumn)[];
  readonly ends: readonly (At<number> & InColumn)[];
  readonly arrivals: readonly At<Arrival>[];
  readonly entryBadges: readonly At<EntryBadge>[];
  readonly left: readonly (At<LeftStack> & OfRow)[];
  readonly right: readonly (At<TensorId> & OfRow)[];
  /** The same where cards stand side by side: above their card, and below it. */
  readonly above: readonly (At<LeftStack> & OfRow)[];
  readonly below: readonly (At<TensorId> & OfRow)[];
  readonly alone: readonly At<LeftStack>[];
  /** Where each rank stands, and how high it is. */
  readonly bands: ReadonlyMap<number, { readonly y: number; readonly height: number }>;
  /** Where a line leaves the middle for the lanes, by the key of what it leaves. */
  readonly forks: ReadonlyMap<string, number>;
  readonly height: number;
}
