import type { OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { ModuleMetric } from "../figures/module-figures.ts";
import type { BadgeStep } from "../graph/canvas.ts";
import type { Point, Rect, Size } from "../mark.ts";
import type { LabelSegment } from "../text/label.ts";

/** The style of a text on the board. Texts have fixed sizes at every zoom. */
export type BoardRole = "name" | "layout" | "time" | "head" | "note" | "count";

/** A text of the board at its place on it. */
export interface BoardText extends Rect {
  readonly role: BoardRole;
  readonly segments: readonly LabelSegment[];
  /** Whether it ends at the right edge of its box. */
  readonly isAtEnd?: true;
  /** The whole text, if it is cut. */
  readonly whole?: string;
}

/** A tensor drawn small. */
export interface BoardGlyph extends Rect {
  readonly tensor: TensorId;
  readonly layout: Layout;
}

/** A redistribution on the board: how much its pill says follows from its room. */
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
  /** Others of the same weight that this pill stands for: gathered again for the backward pass. */
  readonly others: readonly number[];
}

/** The lane of a redistribution on the board. */
export type BoardLane = "forward" | "weight" | "gradient" | "update";

/** A card of the board. */
export interface BoardCard extends Rect {
  readonly kind: "operator" | "module" | "group" | "input" | "gradient" | "weight" | "update";
  readonly id: string;
  /** The same card's id in `data-testid`. */
  readonly test: string;
  /** The operator that it selects. */
  readonly operator?: OperatorId;
  readonly tensor?: TensorId;
  /** The module that it opens. */
  readonly opens?: string;
  /** For such a module: the operators of all equal modules that the card stands for. */
  readonly members?: readonly OperatorId[];
  readonly texts: readonly BoardText[];
  readonly glyph?: BoardGlyph;
  /** Its share of the largest amount among the cards, 0 to 1. */
  readonly heat: number;
  /** The card as a sentence, for readers who do not see it. */
  readonly said: string;
}

/** A frame around an open module; its head closes it. */
export interface BoardFrame extends Rect {
  readonly id: string;
  readonly module: string;
  readonly depth: number;
  /** The number of equal modules for which it stands. */
  readonly count: number;
  readonly head: Rect;
  readonly texts: readonly BoardText[];
  readonly said: string;
  /**
   * The runs that can be shown in place of the present one; empty for a module that stands alone.
   */
  readonly runs: readonly { readonly path: string; readonly isShown: boolean }[];
}

/** A line of right angles with rounded corners, of the values that flow or of gradients. */
export interface BoardLine {
  readonly id: string;
  readonly kind: "flow" | "skip" | "weight" | "gradient" | "update";
  readonly points: readonly Point[];
  readonly path: string;
  /** Whether an arrow stands at its end. */
  readonly hasArrow: boolean;
}

/** One row of the board, with everything at its height. */
export interface BoardRowBox {
  readonly id: string;
  readonly y: number;
  readonly height: number;
  readonly frames: readonly BoardFrame[];
  readonly pills: readonly BoardPill[];
  readonly cards: readonly BoardCard[];
}

/** The detail of a card: everything; all but the layout; its name alone; modules alone. */
export type BoardDetail = "all" | "glyph" | "name" | "module";

/** Operators that only show a tensor in another form and are not drawn. */
export interface HiddenRows {
  readonly hiddenOperators: number;
  /** Their hidden time, in words; empty if it is 0 or unknown. */
  readonly hiddenTime: string;
}

/** A program by rows: everything on it with exact places and texts. */
export interface BoardLayout extends Size, HiddenRows {
  readonly detail: BoardDetail;
  readonly heads: readonly BoardText[];
  readonly rows: readonly BoardRowBox[];
  readonly lines: readonly BoardLine[];
  /** The amount of a bar of full length, in words; empty if unknown. */
  readonly full: string;
}

/** The open modules of a program, and the options of its drawing. */
export interface BoardView {
  /** Keys of modules that are open. */
  readonly open: ReadonlySet<string>;
  /** By the key of equal modules, the path of the one shown in place of the first. */
  readonly runs: ReadonlyMap<string, string>;
  /** 1 as designed; texts keep their sizes at every zoom. */
  readonly zoom: number;
  readonly showsViews: boolean;
  readonly forwardOnly: boolean;
  /** The quantity of the bars at the feet of cards; time when unsaid. */
  readonly heat?: ModuleMetric;
  /** The plan that this one is held against gathers weights: their column has its room here too. */
  readonly hasGathersBeside?: boolean;
}
