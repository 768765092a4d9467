import type { Compiled } from "#compile";
import { sum } from "#core/arithmetic";
import type { BoardCard, BoardLayout, BoardPill, BoardRowBox } from "../board/board.ts";
import { boardTextWidth } from "../board/board-texts.ts";
import type { Rect } from "../mark.ts";
import { type CardDifference, cardDifference, partsOfOperators } from "./card-difference.ts";
import type {
  DifferenceSign,
  PlanDifference,
  RemovedRedistribution,
  TensorBefore,
} from "./difference.ts";

/** A sign beside a card or pill of the board, at its place. */
export interface BoardMark extends Rect {
  readonly id: string;
  readonly kind: "sign" | "words" | "gone";
  readonly sign: DifferenceSign;
  /** Words such as `+58.7 MB`; empty for a sign alone. */
  readonly words: string;
  /** The redistributions that only the baseline has. */
  readonly gone: readonly RemovedRedistribution[];
  /** The shortened form of a mark of gone redistributions, if there is no room for all of it. */
  readonly form?: "words" | "sign";
}

/** The baseline layout of a tensor, drawn in front of the present one. */
export interface BoardBefore extends Rect, TensorBefore {
  readonly id: string;
}

/** The marks of a board, and further words of its cards and pills. */
export interface BoardMarks {
  readonly marks: readonly BoardMark[];
  readonly befores: readonly BoardBefore[];
  /** Descriptions by the id of a card or pill. */
  readonly said: ReadonlyMap<string, string>;
}

const signSize = 14;
/** Height of the letters of a card, in CSS pixels. */
const letterHeight = 12;
/** Padding (px) between the ends of a card and its words. */
const inset = 6;
/** Width (px) reserved for the time at the right end of a card. */
const timeRoom = 64;
/** Gap (px) between two glyphs, with room for an arrow. */
const arrow = 14;

/** The marks of a difference on a board: signs at corners, and byte changes if there is room. */
export function boardMarks(
  compiled: Compiled,
  layout: BoardLayout,
  difference: PlanDifference,
): BoardMarks {
  const marks: BoardMark[] = [];
  const befores: BoardBefore[] = [];
  const said = new Map<string, string>();
  const told = new Set<RemovedRedistribution>();
  const written = layout.rows.flatMap(writtenIn);
  for (const { cards, pills, frames } of layout.rows) {
    const around = [...cards, ...pills, ...frames.map(({ head }) => head)];
    for (const piece of [...cards, ...pills]) {
      const found = differenceOf(compiled, difference, piece);
      if (found === undefined) continue;
      const gone = found.gone.filter((each) => !told.has(each));
      for (const each of gone) told.add(each);
      said.set(piece.id, found.text);
      const others = around.filter((each) => each !== piece);
      marks.push(...marksOf(piece, found, others, layout.width));
      if (gone.length > 0) {
        const mark = goneMark(piece, gone, found.goneChange, written);
        written.push(mark);
        marks.push(mark);
      }
      if (piece.kind !== "pill") befores.push(...beforeOf(piece, found));
    }
  }
  return { marks, befores, said };
}

function differenceOf(
  compiled: Compiled,
  difference: PlanDifference,
  piece: BoardCard | BoardPill,
): CardDifference | undefined {
  if (piece.kind === "pill") {
    const redistributions = [piece.redistribution, ...piece.others];
    return cardDifference(difference, { redistributions });
  }
  const { operator, tensor, members } = piece;
  if (members !== undefined) return cardDifference(difference, partsOfOperators(compiled, members));
  const tensors = tensor === undefined ? [] : [tensor];
  const operators = operator === undefined ? [] : [operator];
  return cardDifference(difference, { operators, tensors, leaves: tensors });
}

function marksOf(
  piece: BoardCard | BoardPill,
  { sign, change = "" }: CardDifference,
  around: readonly Rect[],
  width: number,
): readonly BoardMark[] {
  const { id, x, y } = piece;
  const corner = { x: Math.max(0, x - 6), y: y - 6, width: signSize, height: signSize };
  const own =
    sign === undefined
      ? []
      : [{ ...corner, id: `mark-${id}`, kind: "sign" as const, sign, words: "", gone: [] }];
  return [
    ...own,
    ...(sign === undefined || change === "" ? [] : wordsBeside(piece, sign, change, around, width)),
  ];
}

/** A change of bytes after a pill, or before it; an empty list if there is no room. */
function wordsBeside(
  piece: BoardCard | BoardPill,
  sign: DifferenceSign,
  words: string,
  around: readonly Rect[],
  width: number,
): readonly BoardMark[] {
  if (piece.kind !== "pill") return [];
  const room = boardTextWidth(words, "time") + 6;
  const { id, y, height } = piece;
  const places = [piece.x + piece.width + 2, piece.x - room - 8].map((x) => ({
    ...{ x, y, width: room, height },
  }));
  const place = places.find(
    (each) =>
      each.x >= 0 && each.x + room <= width && around.every((other) => !overlap(each, other)),
  );
  if (place === undefined) return [];
  return [{ ...place, id: `bytes-${id}`, kind: "words", sign, words, gone: [] }];
}

/**
 * The mark of gone redistributions, on the lower edge of the card that they left; for a weight
 * drawn as a glyph, before its left edge, at the place of gather pills. It covers no words: with
 * less room it gets shorter, at last a sign at a corner of the card.
 *
 * @param written areas of words and of other marks
 */
function goneMark(
  piece: BoardCard | BoardPill,
  gone: readonly RemovedRedistribution[],
  change: string,
  written: readonly Rect[],
): BoardMark {
  const { id, x, y, width, height, kind } = piece;
  const counted = gone.length === 1 ? change : `${change} ×${gone.length}`;
  const common = { id: `gone-${id}`, kind: "gone", sign: "−", gone } as const;
  const isBefore = kind === "weight" && piece.glyph !== undefined;
  const edge = (room: number): Rect => {
    const right = isBefore ? x - signSize / 2 : x + Math.max(8 + room, width - timeRoom);
    const top = isBefore ? y + (height - signSize) / 2 : y + height - 6;
    return { x: right - room, y: top, width: room, height: signSize };
  };
  const corner = (left: number): Rect => ({
    ...{ x: left, y: y + height - 6, width: signSize, height: signSize },
  });
  const last: BoardMark = { ...common, ...corner(x + width - inset), words: "", form: "sign" };
  const forms: readonly BoardMark[] = [
    { ...common, ...edge(goneRoom(gone, counted)), words: change },
    { ...common, ...edge(goneRoom(gone, counted.slice(change.length))), words: "" },
    { ...common, ...edge(goneRoom([], counted)), words: change, form: "words" },
    last,
    { ...last, ...corner(Math.max(0, x + inset - signSize)) },
  ];
  const fits = (form: BoardMark) => form.x >= 0 && written.every((other) => !overlap(form, other));
  return forms.find(fits) ?? last;
}

/**
 * The areas of words in a row: texts without the space above and below their letters, and pills.
 */
function writtenIn({ cards, pills, frames }: BoardRowBox): readonly Rect[] {
  const texts = [...cards, ...frames].flatMap((each) => each.texts);
  const boxes = texts.map(({ x, y, width, height }) => {
    const air = Math.max(0, (height - letterHeight) / 2);
    return { x, width, y: y + air, height: height - 2 * air };
  });
  return [...boxes, ...pills];
}

/**
 * The width of a mark of gone redistributions: a sign, the collectives of the first one with their
 * mesh axes, and words.
 */
function goneRoom([first]: readonly RemovedRedistribution[], text: string): number {
  const axes = (first?.steps ?? []).map(({ axes: all }) =>
    all.reduce((sum, axis) => sum + 10 + 7 * axis.text.length, 14),
  );
  return Math.ceil(6.7 * text.length) + 22 + sum(axes);
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** The baseline's glyph before the present one, if the name leaves room. */
function beforeOf(card: BoardCard, { before }: CardDifference): readonly BoardBefore[] {
  const { glyph, texts, id } = card;
  if (glyph === undefined || before === undefined || card.kind === "weight") return [];
  const name = texts.find(({ role }) => role === "name");
  const left = name === undefined ? card.x + 8 : name.x + name.width;
  const x = glyph.x - arrow - glyph.width;
  if (x < left + 4) return [];
  const { y, width, height } = glyph;
  return [{ ...before, id: `before-${id}`, x, y, width, height }];
}
