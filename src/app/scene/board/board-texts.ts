import { canvasTexts } from "../card/card-look.ts";
import type { BadgeStep } from "../graph/canvas.ts";
import type { LabelSegment } from "../text/label.ts";
import type { BoardPill, BoardRole, BoardText } from "./board.ts";

/** Mean width of a letter by role, in CSS pixels. */
const letters: Readonly<Record<BoardRole, number>> = {
  name: canvasTexts.name.letter,
  layout: canvasTexts.label.letter,
  time: 6.1,
  head: 6.3,
  note: 6,
  count: canvasTexts.annotation.letter,
};

const plain = (text: string): readonly LabelSegment[] => [{ kind: "plain", text }];

/** The approximate width of a text, in CSS pixels. */
export function boardTextWidth(text: string, role: BoardRole): number {
  return Math.ceil(text.length * letters[role]) + 1;
}

/** The text of segments. @internal */
export function segmentsText(segments: readonly LabelSegment[]): string {
  return segments.map(({ text }) => text).join("");
}

/** Truncates a text to a width; `whole` then has the full text. */
function cutText(
  text: string,
  role: BoardRole,
  room: number,
): { readonly text: string; readonly whole?: string } {
  if (boardTextWidth(text, role) <= room) return { text };
  const count = Math.floor((room - 1) / letters[role]) - 1;
  return { text: count < 1 ? "" : `${text.slice(0, count)}…`, whole: text };
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** Available width. */
  readonly room: number;
  readonly isAtEnd?: boolean;
}

/** A text at its place; an empty list if not even one letter fits. */
export function placedText(role: BoardRole, text: string, place: Place): readonly BoardText[] {
  const { text: shown, whole } = cutText(text, role, place.room);
  if (shown === "") return [];
  return [placedSegments(role, plain(shown), place, whole)];
}

/** `placedText` for segments known to fit. */
export function placedSegments(
  role: BoardRole,
  segments: readonly LabelSegment[],
  { x, y, height, room, isAtEnd = false }: Place,
  whole?: string,
): BoardText {
  const width = boardTextWidth(segmentsText(segments), role);
  return {
    ...{ role, segments, y, height, width, x: isAtEnd ? x + room - width : x },
    ...(isAtEnd && { isAtEnd }),
    ...(whole !== undefined && { whole }),
  };
}

/**
 * A layout fitted to a width: in full, without spaces, or with its sharded dims only; `undefined`
 * if even those do not fit.
 */
export function fittedLayout(
  segments: readonly LabelSegment[],
  room: number,
): readonly LabelSegment[] | undefined {
  const tight = segments.map((segment) =>
    segment.kind === "plain" ? { ...segment, text: segment.text.replaceAll(", ", ",") } : segment,
  );
  const fits = (each: readonly LabelSegment[]) =>
    boardTextWidth(segmentsText(each), "layout") <= room;
  const isCut = segments.some(({ kind }) => kind === "axis");
  return [segments, tight, ...(isCut ? [onlyCut(tight)] : [])].find(fits);
}

/** `[…b@dp…]{Σ tp}` for `[b@dp,t,d]{Σ tp}`: names of unsharded dims are left out. */
function onlyCut(segments: readonly LabelSegment[]): readonly LabelSegment[] {
  return segments.map((segment, at) => {
    if (segment.kind !== "plain") return segment;
    const isBefore = segments[at + 1]?.kind === "axis";
    const open = segment.text.lastIndexOf(",");
    const kept = isBefore && open >= 0 ? segment.text.slice(open + 1) : undefined;
    const closes = segment.text.startsWith(")") ? ")" : "";
    const end = /\](\{.*)?$/u.exec(segment.text)?.[0];
    if (kept !== undefined) return { ...segment, text: `${closes}…${kept}` };
    if (end !== undefined && segment.text.includes(",")) {
      return { ...segment, text: `${closes}…${end}` };
    }
    return segment;
  });
}

/** Sizes of the parts of a pill, in CSS pixels. */
const pill = { padding: 8, gap: 4, icon: 12, swatch: 10, chip: 8 };

/** The contents of a pill; `numbers` from the longest to the shortest form. */
interface PillWords {
  readonly steps: readonly BadgeStep[];
  readonly numbers: readonly string[];
  readonly hasSwatch: boolean;
}

/** The width of a pill, with or without the names of its collectives. */
function pillWidth({ steps, hasSwatch }: PillWords, numbers: string, hasWords: boolean): number {
  const widths = steps.flatMap(({ collective, axes }) => [
    pill.icon,
    ...(hasWords ? [wordsWidth(collective)] : []),
    ...axes.map(({ text }) => axisWidth(text)),
  ]);
  const all = [
    ...widths,
    ...(numbers === "" ? [] : [boardTextWidth(numbers, "time")]),
    ...(hasSwatch ? [pill.swatch] : []),
  ];
  return all.reduce((sum, width) => sum + width + pill.gap, 2 * pill.padding - pill.gap);
}

function wordsWidth(collective: string): number {
  return Math.ceil(collective.length * 5.9);
}

function axisWidth(name: string): number {
  return Math.ceil(name.length * 6.7) + pill.chip;
}

/** The contents of a pill that fit, and its width with them. */
export interface FittedPill {
  readonly width: number;
  readonly hasWords: boolean;
  readonly numbers: string;
  readonly steps: readonly BadgeStep[];
}

/** The longest form of a pill that fits in a width; its first step only, if not all steps fit. */
export function fittedPill(words: PillWords, room: number, isShort: boolean): FittedPill {
  const { steps } = words;
  const ways = words.numbers.flatMap((numbers) => [
    ...(isShort ? [] : [{ steps, numbers, hasWords: true }]),
    { steps, numbers, hasWords: false },
  ]);
  const rest = steps.length - 1;
  const first = { steps: steps.slice(0, 1), hasWords: false };
  const least = rest === 0 ? [] : [`+${rest} ${rest === 1 ? "step" : "steps"}`, `+${rest}`];
  const sized = [
    ...ways,
    { steps, numbers: "", hasWords: false },
    ...least.map((numbers) => ({ ...first, numbers })),
    { ...first, numbers: "" },
  ].map((way) => ({
    ...way,
    width: pillWidth({ ...words, steps: way.steps }, way.numbers, way.hasWords),
  }));
  return sized.find(({ width }) => width <= room) ?? { ...first, numbers: "", width: room };
}

/** A piece of a pill's contents; x counts from the left end of the first piece. */
export type PillPiece = { readonly x: number; readonly width: number } & (
  | { readonly kind: "sign"; readonly collective: string }
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "axis"; readonly tag: BadgeStep["axes"][number] }
  | { readonly kind: "numbers" | "exposed" }
);

/** The pieces of a pill side by side, for painters that position each piece. */
export function pillPieces({
  steps,
  hasWords,
  numbers,
  exposed = 0,
}: Pick<BoardPill, "steps" | "hasWords" | "numbers" | "exposed">) {
  const pieces: PillPiece[] = [];
  let x = 0;
  const add = (width: number, piece: UnplacedPiece) => {
    pieces.push({ ...piece, x, width });
    x += width + pill.gap;
  };
  for (const { collective, axes } of steps) {
    add(pill.icon, { kind: "sign", collective });
    if (hasWords) add(wordsWidth(collective), { kind: "words", text: collective });
    for (const tag of axes) add(axisWidth(tag.text), { kind: "axis", tag });
  }
  if (numbers !== "") add(boardTextWidth(numbers, "time"), { kind: "numbers" });
  if (exposed > 0) add(pill.swatch, { kind: "exposed" });
  return { pieces, width: Math.max(0, x - pill.gap) };
}

type UnplacedPiece = PillPiece extends infer Piece
  ? Piece extends PillPiece
    ? Omit<Piece, "x" | "width">
    : never
  : never;
