import type { CanvasNode } from "../graph/canvas.ts";
import type { Rect, Size } from "../mark.ts";
import type { CardPiece, WordsRole } from "./card.ts";

/** The two font families of words. */
export type Face = "mono" | "ui";

/** The look of one role of text; `size` and `letter` in CSS pixels. */
export interface TextLook {
  readonly face: Face;
  readonly size: number;
  readonly weight: number;
  readonly ink: "ink" | "ink2" | "ink3";
  /** Mean width of a letter, for painters that cannot measure text. */
  readonly letter: number;
}

/** The roles of text on the canvas: those of cards, chips, column heads and ranges of lines. */
export type TextRole =
  | WordsRole
  | Exclude<CardPiece["kind"], "words" | "chips">
  | "chip"
  | "axis"
  | "head"
  | "range";

const mono = { face: "mono", size: 11, weight: 400 } as const;
const ui = { face: "ui", size: 11, weight: 400 } as const;

/** The look of every text on the canvas, by its role. */
export const canvasTexts: Readonly<Record<TextRole, TextLook>> = {
  name: { ...mono, size: 12, weight: 600, ink: "ink", letter: 7.3 },
  tensor: { ...mono, size: 12, weight: 600, ink: "ink", letter: 7.3 },
  state: { ...mono, ink: "ink", letter: 6.6 },
  call: { ...mono, ink: "ink3", letter: 6.6 },
  annotation: { ...mono, ink: "ink2", letter: 6.6 },
  label: { ...mono, ink: "ink2", letter: 6.4 },
  chip: { ...mono, weight: 500, ink: "ink", letter: 6.7 },
  axis: { ...mono, weight: 600, ink: "ink", letter: 6.7 },
  of: { ...mono, weight: 600, ink: "ink", letter: 6.8 },
  count: { ...mono, size: 13, weight: 600, ink: "ink", letter: 8 },
  range: { ...mono, weight: 500, ink: "ink2", letter: 6.4 },
  about: { ...ui, ink: "ink3", letter: 5.8 },
  detail: { ...ui, ink: "ink2", letter: 5.8 },
  tag: { ...ui, ink: "ink3", letter: 5.8 },
  status: { ...ui, ink: "ink3", letter: 5.6 },
  step: { ...ui, weight: 500, ink: "ink", letter: 5.9 },
  numbers: { ...ui, ink: "ink2", letter: 5.8 },
  result: { ...ui, ink: "ink3", letter: 5.8 },
  head: { ...ui, size: 12, weight: 600, ink: "ink2", letter: 6.4 },
};

/** The paper of a box: how round its corners are, and the tone of its edge. */
export interface PaperLook {
  readonly radius: number;
  readonly edge: "line" | "edge";
}

const card = { radius: 6, edge: "line" } as const;

/** The paper below a box, by its kind; kinds that are missing have none. */
export const papers = {
  operator: card,
  stack: card,
  input: { ...card, radius: 22 },
  redistribution: { radius: 12, edge: "edge" },
} as const satisfies Partial<Record<CanvasNode["kind"], PaperLook>>;

/** Width of the edge of every paper, in CSS pixels. */
export const paperEdge = 1;

/**
 * Distance from each card of a stack to the one behind it, to the right and down, in CSS pixels.
 */
export const stackStep = 4;

/** The room for the glyph in each kind of box that has one, in CSS pixels. */
export const glyphRooms = {
  tensor: { width: 58, height: 50 },
  state: { width: 54, height: 34 },
  input: { width: 44, height: 32 },
} as const satisfies Readonly<Record<string, Size>>;

/** The place of a box's rows in it, in CSS pixels. */
export interface CardPlace {
  /** Padding of the words from the left and right edges of their box. */
  readonly left: number;
  readonly right: number;
  /** Offset of the first row; if absent, the rows are centred vertically in their box. */
  readonly top?: number;
  /** Whether words are centred horizontally. */
  readonly isCentred?: true;
  readonly rowHeight: number;
  readonly rowGap?: number;
  /** Between pieces of one row. */
  readonly gap: number;
  /** Offset from the left edge to the name in the far view. */
  readonly afar: number;
}

/** Room between the edge of an operator's card and its rows, in CSS pixels. */
export const cardPadding = { x: 10, y: 6 } as const;
/** Padding of the first input's card; `gap` is the distance from its glyph to its words. */
export const inputPadding = { x: 14, gap: 10 } as const;
/** Distance from the glyph of a tensor to its words, in CSS pixels. */
export const glyphGap = 8;

const inputWords = paperEdge + inputPadding.x + glyphRooms.input.width + inputPadding.gap;

/** Row placement in each kind of box; `state` is an optimizer's state tensor. */
const places = {
  operator: {
    left: paperEdge + cardPadding.x,
    right: paperEdge + cardPadding.x,
    top: paperEdge + cardPadding.y,
    rowHeight: 18,
    rowGap: 4,
    gap: 6,
    afar: 12,
  },
  input: { left: inputWords, right: 15, rowHeight: 15, gap: 4, afar: 12 },
  tensor: {
    left: glyphRooms.tensor.width + 2 + glyphGap,
    right: 0,
    rowHeight: 15,
    gap: 4,
    afar: glyphRooms.tensor.width + 11,
  },
  state: { left: 0, right: 0, top: 38, isCentred: true, rowHeight: 16, gap: 0, afar: 0 },
  stack: { left: 14, right: 14, rowHeight: 16, gap: 6, afar: 12 },
  run: { left: 28, right: 0, rowHeight: 18, gap: 6, afar: 30 },
  redistribution: { left: 12, right: 11, rowHeight: 16, gap: 6, afar: 0 },
  output: { left: 0, right: 0, isCentred: true, rowHeight: 16, gap: 0, afar: 0 },
} as const satisfies Readonly<Record<string, CardPlace>>;

/** The place of the card's rows inside the box of a node. */
export function cardPlaceOf(node: CanvasNode): CardPlace {
  return node.kind === "tensor" && node.side === "state" ? places.state : places[node.kind];
}

/**
 * The front card of a stack, without the room at the right and below for the edges of two more
 * cards; the box of any other kind is returned unchanged.
 */
export function frontOf<Box extends Rect>(box: Box, kind: CanvasNode["kind"]): Box {
  const behind = kind === "stack" ? 2 * stackStep : 0;
  return { ...box, width: box.width - behind, height: box.height - behind };
}

/**
 * The look of a chip, a name with its axes, in CSS pixels; `tint` in percent, `dash` of its edge.
 */
export const chipLook = {
  height: 18,
  radius: 3,
  padding: 4,
  gap: 4,
  tint: 13,
  dash: [3, 2],
} as const;

/** The mark in front of a status word, in CSS pixels. */
export const statusLook = { size: 8, edge: 1.5, gap: 5 } as const;
