import { monoFont, type Point, uiFont } from "#app/scene";
import {
  type CardSource,
  canvasTexts,
  cardPlaceOf,
  farCardOf,
  frontOf,
  type TextLook,
} from "#app/scene/card";
import { type CanvasNode, type LabelRoom, labelParts, nameParts } from "#app/scene/graph";
import type { SvgColours } from "#app/scene/svg";

export type Pen = CanvasRenderingContext2D;

/**
 * Below this zoom a line of words is higher than a card: cards are tinted by what is sent for them,
 * and words stand over them where there is room.
 */
export const wordsFrom = 0.24;

/** Words that stand over shapes: where they begin, and the middle of their height, on the canvas. */
export interface FarLabel extends Point {
  readonly text: string;
}

/** The inputs of painting words. */
export interface FarWords {
  readonly lookup: CardSource;
  readonly zoom: number;
  /** How far the name of a tensor may reach beyond its box. */
  readonly roomBeside: (node: CanvasNode) => LabelRoom;
}

/**
 * The name of a tensor behind its glyph. Where the box is too short for it, it reaches beyond, or
 * stands before the glyph; where nothing is free, it is cut.
 */
export function paintNameBeside(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "tensor" }>,
  scene: FarWords,
  colours: SvgColours,
): void {
  const { name } = farCardOf(scene.lookup, node);
  const wanted = widthOf(name, scene.zoom);
  const within = node.width - cardPlaceOf(node).afar - wordsEnd;
  const { left, right } = wanted > within ? scene.roomBeside(node) : noRoom;
  if (wanted <= within + right || left <= within + right) {
    paintName(pen, { ...node, width: node.width + right }, scene, colours);
    return;
  }
  pen.textAlign = "right";
  const at = { x: node.x - beforeGlyph, y: node.y + node.height / 2 };
  writeWords(pen, shortOf(name, left, scene.zoom), at, scene.zoom, colours);
  pen.textAlign = "left";
}

/** Between a name that stands before its glyph and the glyph. */
const beforeGlyph = 10;

const noRoom: LabelRoom = { left: 0, right: 0 };

/** How many equal blocks a stack stands for, before the right edge of its foremost card. */
export function paintCount(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "stack" }>,
  { lookup, zoom }: FarWords,
  colours: SvgColours,
): void {
  const { count } = farCardOf(lookup, node);
  if (count === undefined) return;
  const { x, y, width, height } = frontOf(node, "stack");
  pen.textAlign = "right";
  const at = { x: x + width - countEnd, y: y + height / 2 };
  writeWords(pen, count, at, zoom, colours, canvasTexts.count);
  pen.textAlign = "left";
}

/** From a count to the right edge of its card. */
const countEnd = 16;

/** Room after words that are cut to their box. */
const wordsEnd = 6;
/** Size of words on the screen, and how wide a letter is. */
const wordsSize = 11;
const letterWidth = 0.61;

/** How wide words are on the canvas that have one size on the screen. */
export function widthOf(words: string, zoom: number): number {
  return (words.length * letterWidth * wordsSize) / zoom;
}

/** The name of a box from its place, cut to what is free behind it and before its count. */
export function paintName(pen: Pen, node: CanvasNode, scene: FarWords, colours: SvgColours): void {
  const { name, count } = farCardOf(scene.lookup, node);
  if (name === "") return;
  const inset = cardPlaceOf(node).afar;
  const end = count === undefined ? wordsEnd : countEnd + widthOf(` ${count}`, scene.zoom);
  const shown = shortOf(name, node.width - inset - end, scene.zoom);
  writeWords(pen, shown, { x: node.x + inset, y: node.y + node.height / 2 }, scene.zoom, colours);
}

/** Words over shapes, on a ground of their own. */
export function paintLabel(pen: Pen, label: FarLabel, zoom: number, colours: SvgColours): void {
  const { text, x, y } = label;
  const alpha = pen.globalAlpha;
  pen.globalAlpha = 0.86;
  pen.fillStyle = colours.surface;
  pen.fillRect(x - 2 / zoom, y - 6.5 / zoom, widthOf(text, zoom) + 4 / zoom, 13 / zoom);
  pen.globalAlpha = alpha;
  writeWords(pen, text, label, zoom, colours);
}

/** Words of one size on the screen at every zoom. */
function writeWords(
  pen: Pen,
  words: string,
  at: Point,
  zoom: number,
  colours: SvgColours,
  { face, weight, ink }: TextLook = canvasTexts.name,
): void {
  if (words === "") return;
  pen.font = `${weight} ${wordsSize / zoom}px ${face === "mono" ? monoFont : uiFont}`;
  pen.textBaseline = "middle";
  pen.fillStyle = colours[ink];
  pen.fillText(words, at.x, at.y);
}

/** Fewer letters of a longer name than that say nothing. */
const leastLetters = 3;

/**
 * A name as far as there is room for it; nothing where that would be a stub. Of the last part, `.bias`,
 * as much is kept as the first leaves, at least two letters; of a stretch `layers[0…23]` the series.
 */
export function shortOf(words: string, room: number, zoom: number): string {
  const letters = Math.floor(room / widthOf("m", zoom));
  if (words.length <= letters) return words;
  if (letters < leastLetters) return "";
  const [series = words, range] = labelParts(words);
  if (range !== undefined) return shortOf(series, room, zoom);
  const [head, tail] = nameParts(words);
  const least = tail.slice(0, leastTail);
  if (least === "" || head.length + leastTail < letters || letters < leastTail + 3)
    return `${words.slice(0, letters - 1).trimEnd()}…`;
  return `${head.slice(0, letters - 2 - least.length)}…${least}…`;
}

/** A dot and two letters, which tell a weight from a bias. */
const leastTail = 3;
