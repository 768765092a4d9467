import type { OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { ModuleMetric } from "../figures/module-figures.ts";
import type { BadgeStep } from "../graph/canvas.ts";
import type { Point, Rect, Size } from "../mark.ts";
import type { LabelSegment } from "../text/label.ts";

/** The role of a text on the board, which sets its style. Text sizes do not depend on the zoom. */
export type BoardRole = "name" | "layout" | "time" | "head" | "note" | "count";

/** A text with its box on the board. */
export interface BoardText extends Rect {
  readonly role: BoardRole;
  readonly segments: readonly LabelSegment[];
  /** Whether the text is right-aligned in its box. */
  readonly isAtEnd?: true;
  /** The full text, if the shown one is truncated. */
  readonly whole?: string;
}

/** A small drawing of a tensor. */
export interface BoardGlyph extends Rect {
  readonly tensor: TensorId;
  readonly layout: Layout;
}

/** A redistribution on the board; the pill's content depends on its width. */
export interface BoardPill extends Rect {
  readonly kind: "pill";
  readonly id: string;
  readonly lane: BoardLane;
  readonly redistribution: number;
  readonly tensor: TensorId;
  readonly steps: readonly BadgeStep[];
  readonly hasWords: boolean;
  readonly numbers: string;
  /** Share of its time in which nothing is computed, 0 to 1; absent if unknown. */
  readonly exposed?: number;
  /**
   * Indices of further redistributions that this pill represents, such as a weight gathered again
   * for the backward pass.
   */
  readonly others: readonly number[];
}

/** The lane of a redistribution on the board. */
export type BoardLane = "forward" | "weight" | "gradient" | "update";

/** A card of the board. */
export interface BoardCard extends Rect {
  readonly kind: "operator" | "module" | "group" | "input" | "gradient" | "weight" | "update";
  readonly id: string;
  /** The card's id in `data-testid`. */
  readonly test: string;
  /** The operator that the card selects. */
  readonly operator?: OperatorId;
  readonly tensor?: TensorId;
  /** Key of the module that the card opens. */
  readonly opens?: string;
  /** With `opens`: the operators of all equal modules that the card represents. */
  readonly members?: readonly OperatorId[];
  readonly texts: readonly BoardText[];
  readonly glyph?: BoardGlyph;
  /** The card's share of the largest amount among the cards, 0 to 1. */
  readonly heat: number;
  /** The card as a sentence, for screen readers. */
  readonly said: string;
}

/** A frame around an open module; activating its head closes the module. */
export interface BoardFrame extends Rect {
  readonly id: string;
  readonly module: string;
  readonly depth: number;
  /** Number of equal modules that the frame represents. */
  readonly count: number;
  readonly head: Rect;
  readonly texts: readonly BoardText[];
  readonly said: string;
  /** The runs that can be shown instead of the present one; empty for a single module. */
  readonly runs: readonly { readonly path: string; readonly isShown: boolean }[];
}

/** An orthogonal line with rounded corners, for forward values, weights, gradients or updates. */
export interface BoardLine {
  readonly id: string;
  readonly kind: "flow" | "skip" | "weight" | "gradient" | "update";
  readonly points: readonly Point[];
  readonly path: string;
  /** Whether the line ends in an arrow. */
  readonly hasArrow: boolean;
}

/** One row of the board, with everything drawn at its height. */
export interface BoardRowBox {
  readonly id: string;
  readonly y: number;
  readonly height: number;
  readonly frames: readonly BoardFrame[];
  readonly pills: readonly BoardPill[];
  readonly cards: readonly BoardCard[];
}

/** Level of detail of a card: everything; all but the layout; the name only; modules only. */
export type BoardDetail = "all" | "glyph" | "name" | "module";

/** Operators that are not drawn: views of a tensor, and values made once at a module's creation. */
export interface HiddenRows {
  readonly hiddenOperators: number;
  /** Their total time in words; empty if 0 or unknown. */
  readonly hiddenTime: string;
}

/** A program by rows, with positions and texts. */
export interface BoardLayout extends Size, HiddenRows {
  readonly detail: BoardDetail;
  readonly heads: readonly BoardText[];
  readonly rows: readonly BoardRowBox[];
  readonly lines: readonly BoardLine[];
  /** The amount of a full-length bar, in words; empty if unknown. */
  readonly full: string;
}

/** The open modules of a program, and the options of its drawing. */
export interface BoardView {
  /** Keys of open modules. */
  readonly open: ReadonlySet<string>;
  /** Path of the run shown instead of the first, by the key of the equal modules. */
  readonly runs: ReadonlyMap<string, string>;
  /** Zoom factor, 1 by design; text sizes do not depend on it. */
  readonly zoom: number;
  readonly showsViews: boolean;
  readonly forwardOnly: boolean;
  /** The quantity of the bars at the bottom of cards; time if absent. */
  readonly heat?: ModuleMetric;
  /**
   * Whether the plan this one is compared with gathers weights; the column then has the same room
   * here.
   */
  readonly hasGathersBeside?: boolean;
}
