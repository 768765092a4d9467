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
 * Zoom below which a line of text is higher than a card: cards are tinted by the bytes sent for
 * them, and labels are painted over them where there is room.
 */
export const wordsFrom = 0.24;

/** Label over shapes: `x` of its left edge and `y` of its middle, in canvas coordinates. */
export interface FarLabel extends Point {
  readonly text: string;
}

/** Input of painting words. */
export interface FarWords {
  readonly lookup: CardSource;
  readonly zoom: number;
  /** Free canvas pixels beside a tensor's box into which its name may reach. */
  readonly roomBeside: (node: CanvasNode) => LabelRoom;
}

/**
 * Paints the name of a tensor after its glyph. If the box is too short, the name reaches beyond it
 * or goes before the glyph; if neither side has room, it is cut.
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

/** Distance between a name before its glyph and the glyph, in canvas pixels. */
const beforeGlyph = 10;

const noRoom: LabelRoom = { left: 0, right: 0 };

/** Paints the number of equal blocks of a stack at the right edge of its front card. */
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

/** Distance from a count to the right edge of its card, in canvas pixels. */
const countEnd = 16;

/** Room after words that are cut to their box. */
const wordsEnd = 6;
/** Font size of words in screen pixels, and a letter's width as a share of it. */
const wordsSize = 11;
const letterWidth = 0.61;

/** Width, in canvas pixels, of words that have a fixed size on the screen. */
export function widthOf(words: string, zoom: number): number {
  return (words.length * letterWidth * wordsSize) / zoom;
}

/** Paints the name of a box, cut to the room before its count. */
export function paintName(pen: Pen, node: CanvasNode, scene: FarWords, colours: SvgColours): void {
  const { name, count } = farCardOf(scene.lookup, node);
  if (name === "") return;
  const inset = cardPlaceOf(node).afar;
  const end = count === undefined ? wordsEnd : countEnd + widthOf(` ${count}`, scene.zoom);
  const shown = shortOf(name, node.width - inset - end, scene.zoom);
  writeWords(pen, shown, { x: node.x + inset, y: node.y + node.height / 2 }, scene.zoom, colours);
}

/** Paints a label on its own translucent background. */
export function paintLabel(pen: Pen, label: FarLabel, zoom: number, colours: SvgColours): void {
  const { text, x, y } = label;
  const alpha = pen.globalAlpha;
  pen.globalAlpha = 0.86;
  pen.fillStyle = colours.surface;
  pen.fillRect(x - 2 / zoom, y - 6.5 / zoom, widthOf(text, zoom) + 4 / zoom, 13 / zoom);
  pen.globalAlpha = alpha;
  writeWords(pen, text, label, zoom, colours);
}

/** Paints words that have the same size on the screen at every zoom. */
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

/** Least number of letters for a cut name: fewer say nothing. */
const leastLetters = 3;

/**
 * Name cut to a room in canvas pixels; empty if too little would be left. The tail (`.bias`) keeps
 * at least two letters; a series `layers[0…23]` loses its range first.
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

/** Least length of a tail: a dot and two letters tell a weight from a bias. */
const leastTail = 3;
