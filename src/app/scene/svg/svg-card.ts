import type { Card, CardPiece, CardRow } from "../card/card.ts";
import { canvasTexts, cardPlaceOf, frontOf, type TextRole } from "../card/card-look.ts";
import type { CanvasNode } from "../graph/canvas.ts";
import type { Point } from "../mark.ts";
import { textAttributes, toBaseline, widthOf } from "./svg-card-measure.ts";
import { chipsSvg, statusSvg, stepSvg, tagSvg } from "./svg-card-pieces.ts";
import type { SvgColours } from "./svg-colours.ts";
import { element, escaped } from "./svg-writer.ts";

/** The words of a box as SVG. */
export function cardSvg({ rows, beside }: Card, node: CanvasNode, colours: SvgColours): string {
  const { x, y, width, height } = frontOf(node, node.kind);
  const place = cardPlaceOf(node);
  const { rowHeight, rowGap = 0, gap } = place;
  const whole = rows.length * (rowHeight + rowGap) - rowGap;
  const first = y + (place.top ?? (height - whole) / 2) + rowHeight / 2;
  const room = { left: x + place.left, right: x + width - place.right, gap };
  const end = endSvg(beside, { ...room, middle: y + height / 2 }, colours);
  const lines = rows.map((row, at) => {
    const middle = first + at * (rowHeight + rowGap);
    if (place.isCentred) return centredSvg(row, { x: x + width / 2, y: middle }, colours);
    return rowSvg(row, { ...room, right: end.left, middle }, colours);
  });
  return lines.join("") + end.svg;
}

/** The horizontal range of a row, its middle, and the gap between its pieces. */
interface RowRoom {
  readonly left: number;
  readonly right: number;
  readonly middle: number;
  readonly gap: number;
}

function rowSvg({ start, end }: CardRow, room: RowRoom, colours: SvgColours): string {
  const atEnd = endSvg(end, room, colours);
  const left = { ...room, right: atEnd.left };
  const svg = start.every(isText) ? textSvg(start, left, colours) : startSvg(start, left, colours);
  return svg + atEnd.svg;
}

/**
 * Pieces side by side up to the right end; the returned `left` is the end of the room before them.
 */
function endSvg(
  pieces: readonly CardPiece[],
  { right, middle, gap }: RowRoom,
  colours: SvgColours,
): { readonly svg: string; readonly left: number } {
  return pieces.reduceRight(
    ({ svg, left }, piece) => {
      const x = left - widthOf(piece);
      return { svg: pieceSvg(piece, { x, y: middle }, colours) + svg, left: x - gap };
    },
    { svg: "", left: right },
  );
}

/** Pieces side by side from the left. */
function startSvg(
  pieces: readonly CardPiece[],
  { left, middle, gap }: RowRoom,
  colours: SvgColours,
): string {
  let x = left;
  return pieces
    .map((piece) => {
      const at = { x, y: middle };
      x += widthOf(piece) + gap;
      return pieceSvg(piece, at, colours);
    })
    .join("");
}

/** One piece, given its left end and vertical middle. */
function pieceSvg(piece: CardPiece, at: Point, colours: SvgColours): string {
  switch (piece.kind) {
    case "status":
      return statusSvg(piece.status, at, colours);
    case "chips":
      return chipsSvg(piece, at, colours);
    case "step":
      return stepSvg(piece, at, colours);
    case "words":
      if (piece.role === "tag") return tagSvg(piece.text, at, colours);
      return lineSvg([piece], at, {}, colours);
    case "label":
    case "annotation":
      return lineSvg([piece], at, {}, colours);
  }
}

type TextPiece = Extract<CardPiece, { kind: "words" | "label" | "annotation" }>;

function isText(piece: CardPiece): piece is TextPiece {
  return (
    piece.kind === "label" ||
    piece.kind === "annotation" ||
    (piece.kind === "words" && piece.role !== "tag")
  );
}

/** Words in sequence; the last piece is truncated if there is not enough room. */
function textSvg(
  pieces: readonly TextPiece[],
  { left, right, middle, gap }: RowRoom,
  colours: SvgColours,
): string {
  const taken = pieces.slice(0, -1).reduce((sum, piece) => sum + widthOf(piece) + gap, 0);
  return lineSvg(pieces, { x: left, y: middle }, { gap, room: right - left - taken }, colours);
}

function centredSvg({ start }: CardRow, at: Point, colours: SvgColours): string {
  return lineSvg(start.filter(isText), at, { anchor: "middle" }, colours);
}

interface LineOptions {
  readonly gap?: number;
  /** Width available to the last piece. */
  readonly room?: number;
  readonly anchor?: "middle";
}

function lineSvg(
  pieces: readonly TextPiece[],
  { x, y }: Point,
  { gap = 0, room, anchor }: LineOptions,
  colours: SvgColours,
): string {
  const inside = pieces.map((piece, at) => {
    const role = roleOf(piece);
    const runs = runsOf(piece, colours);
    const shown = room === undefined || at < pieces.length - 1 ? runs : cutRuns(runs, room, role);
    const look = { dx: at === 0 ? undefined : gap, ...textAttributes(role, colours) };
    return element("tspan", look, shown.map(runSvg).join(""));
  });
  const place = { x, y: y + toBaseline, "text-anchor": anchor, "xml:space": "preserve" };
  return inside.length === 0 ? "" : element("text", place, inside.join(""));
}

function roleOf(piece: TextPiece): TextRole {
  return piece.kind === "words" ? piece.role : piece.kind;
}

/** A run of text with one look. */
interface SvgRun {
  readonly text: string;
  readonly look?: Readonly<Record<string, string | number>>;
}

function runSvg({ text, look }: SvgRun): string {
  return look === undefined ? escaped(text) : element("tspan", look, escaped(text));
}

/**
 * Text of one axis has that axis' ink; annotation text sharded by several axes has plain ink; both
 * are underlined.
 */
function runsOf(piece: TextPiece, colours: SvgColours): readonly SvgRun[] {
  switch (piece.kind) {
    case "words":
      return [{ text: piece.text }];
    case "label":
      return piece.segments.map((segment) =>
        segment.kind === "plain"
          ? { text: segment.text }
          : {
              text: segment.text,
              look: { fill: colours.axisInks[segment.hue], "font-weight": 600 },
            },
      );
    case "annotation":
      return piece.runs.map(({ text, hues: [hue, second] }) => {
        if (hue === undefined) return { text };
        const fill = second === undefined ? colours.axisInks[hue] : colours.ink;
        return { text, look: { fill, "font-weight": 600, "text-decoration": "underline" } };
      });
  }
}

/** Text cut to the characters that fit in a width, with an ellipsis in place of the rest. */
function cutRuns(runs: readonly SvgRun[], room: number, role: TextRole): readonly SvgRun[] {
  const most = Math.max(1, Math.floor(room / canvasTexts[role].letter));
  const length = runs.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= most) return runs;
  let left = most - 1;
  const shown = runs.flatMap((run) => {
    const text = run.text.slice(0, Math.max(0, left));
    left -= run.text.length;
    return text === "" ? [] : [{ ...run, text }];
  });
  return [...shown, { text: "…" }];
}
