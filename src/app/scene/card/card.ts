import type { Status } from "#core/ir";
import type { BadgeStep } from "../graph/canvas.ts";
import type { AxisTag, Hue } from "../hue.ts";
import type { LabelSegment } from "../text/label.ts";

/**
 * Roles of words on a card; `canvasTexts` has the style of each.
 *
 * `name`: an operator, a block or the first input. `tensor`: any other tensor's name, whose last
 * part is kept if space is short. `state`: an optimizer state's name. `call`: the call behind a
 * name. `about`: small words beside or below a name. `detail`: content of a block. `tag`: a word in
 * a frame of its own. `count`: number of equal blocks. `of`: the tensor that a redistribution
 * sends. `numbers`: bytes and time. `result`: the end of a line.
 */
export type WordsRole =
  | "name"
  | "tensor"
  | "state"
  | "call"
  | "about"
  | "detail"
  | "tag"
  | "count"
  | "of"
  | "numbers"
  | "result";

/** The origin of a value: the status of the plan, or `planned` or `stale`, which the page adds. */
export type ShownStatus = Status | "planned" | "stale";

/**
 * A piece of an annotation's text, with the hues of the mesh axes that shard it; no hues for
 * unsharded text.
 */
export interface AnnotationRun {
  readonly text: string;
  readonly hues: readonly Hue[];
}

/** A sharded identifier, and the mesh axes that shard it. */
export interface StrategyChip {
  readonly identifier: string;
  readonly axes: readonly AxisTag[];
}

/** One piece of a card; `canvasTexts` has the style of each kind. */
export type CardPiece =
  | {
      readonly kind: "words";
      readonly role: WordsRole;
      readonly text: string;
      /** The full text, if the piece is an abbreviation. */
      readonly title?: string;
    }
  | { readonly kind: "label"; readonly segments: readonly LabelSegment[] }
  | { readonly kind: "annotation"; readonly runs: readonly AnnotationRun[] }
  | { readonly kind: "status"; readonly status: ShownStatus }
  | {
      readonly kind: "chips";
      readonly chips: readonly StrategyChip[];
      /** The chip's edge is dashed unless the status is `set`. */
      readonly status: Status;
    }
  | ({ readonly kind: "step" } & BadgeStep);

/**
 * Pieces side by side: `start` from the left, its last piece truncated if space is short; `end` at
 * the right.
 */
export interface CardRow {
  readonly start: readonly CardPiece[];
  readonly end: readonly CardPiece[];
}

/** The words of a box on the canvas, as data for every painter: page, far view and SVG file. */
export interface Card {
  /** Rows from top to bottom. */
  readonly rows: readonly CardRow[];
  /** Pieces at the right end, beside all rows. */
  readonly beside: readonly CardPiece[];
}

/** The drawing of a card when the canvas is zoomed out too far for its rows. */
export interface FarCard {
  readonly name: string;
  readonly count?: string;
  /** One bar for each mesh axis that shards the operator, or over which a redistribution sends. */
  readonly bars: readonly Hue[];
}

/** Makes a piece of words. */
export function words(role: WordsRole, text: string, title?: string): CardPiece {
  return { kind: "words", role, text, ...(title !== undefined && { title }) };
}

/** A row without anything at its right end. */
export function row(...start: readonly CardPiece[]): CardRow {
  return { start, end: [] };
}

/** A card with rows only. */
export function rowsCard(...rows: readonly CardRow[]): Card {
  return { rows, beside: [] };
}

/** A piece as plain text, without the looks of its parts. */
export function pieceText(piece: CardPiece): string {
  switch (piece.kind) {
    case "words":
      return piece.text;
    case "label":
      return piece.segments.map(({ text }) => text).join("");
    case "annotation":
      return piece.runs.map(({ text }) => text).join("");
    case "status":
      return piece.status;
    case "chips":
      return piece.chips.map(({ identifier, axes }) => tagged(identifier, axes)).join("");
    case "step":
      return tagged(piece.collective, piece.axes);
  }
}

function tagged(text: string, axes: readonly AxisTag[]): string {
  return text + axes.map((axis) => axis.text).join("");
}
