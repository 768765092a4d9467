import {
  type CanvasEdge,
  type CanvasFrame,
  type CanvasLayout,
  type CanvasNode,
  drawnIn,
  type LabelRoom,
  mixed,
  monoFont,
  nameParts,
  type Point,
  type SvgColours,
  type SvgTheme,
  svgColours,
  uiFont,
} from "#app/scene";
import { shownLayout } from "#app/state";
import type { GlyphBitmaps } from "./glyph-bitmaps.ts";
import { cutHues, type Lookup } from "./lookup.ts";

/** What the whole graph looks like from afar. */
export interface FarScene {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly CanvasEdge[];
  readonly frames: readonly CanvasFrame[];
  readonly lookup: Lookup;
  readonly theme: SvgTheme;
  readonly bitmaps: GlyphBitmaps;
  readonly zoom: number;
  /** How far the name of a tensor may reach beyond its box. */
  readonly roomBeside: (node: CanvasNode) => LabelRoom;
  /** What is lit while a number's table is open. */
  readonly lightOf: (node: CanvasNode) => "on" | "off" | undefined;
}

type Pen = CanvasRenderingContext2D;

/**
 * Below this zoom the graph is one picture; only what is touched is a box of the page. A training
 * step is twice as wide: its boxes stay a little longer, with larger words.
 */
export function farBelow({ heads }: Pick<CanvasLayout, "heads">): number {
  return heads.length > 0 ? 0.4 : 0.5;
}

/** Below this zoom blocks are tinted by what is sent for their sake, and bear no words. */
const wordsFrom = 0.35;

/** Paints what is in sight; the pen is scaled to the canvas' own coordinates. */
export function paintFarCanvas(pen: Pen, scene: FarScene): void {
  const colours = svgColours[scene.theme];
  paintFrames(pen, scene, colours);
  paintEdges(pen, scene, colours);
  for (const node of scene.nodes) {
    pen.globalAlpha = scene.lightOf(node) === "off" ? 0.35 : 1;
    paintNode(pen, node, scene, colours);
  }
  pen.globalAlpha = 1;
}

function paintFrames(pen: Pen, { frames, zoom }: FarScene, { line }: SvgColours): void {
  pen.strokeStyle = line;
  pen.lineWidth = Math.max(1, 1 / zoom);
  for (const { x, y, width, height } of frames) {
    pen.beginPath();
    pen.roundRect(x, y, width, height, 8);
    pen.stroke();
  }
}

function paintEdges(pen: Pen, { edges, zoom }: FarScene, { edge }: SvgColours): void {
  pen.strokeStyle = edge;
  pen.fillStyle = edge;
  pen.lineWidth = Math.max(1.5, 0.8 / zoom);
  pen.beginPath();
  for (const { points } of edges) {
    for (const [at, { x, y }] of points.entries()) {
      if (at === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    }
  }
  pen.stroke();
  if (zoom < wordsFrom) return;
  for (const { points, hasArrow } of edges) {
    const [before, end] = [points.at(-2), points.at(-1)];
    if (!hasArrow || before === undefined || end === undefined) continue;
    const isDown = Math.abs(end.x - before.x) < 0.5;
    pen.beginPath();
    pen.moveTo(end.x, end.y);
    if (isDown) {
      pen.lineTo(end.x - 5, end.y - 10);
      pen.lineTo(end.x + 5, end.y - 10);
    } else {
      pen.lineTo(end.x - 10, end.y - 5);
      pen.lineTo(end.x - 10, end.y + 5);
    }
    pen.fill();
  }
}

function paintNode(pen: Pen, node: CanvasNode, scene: FarScene, colours: SvgColours): void {
  switch (node.kind) {
    case "operator":
      paintCard(pen, node, scene, colours, node.heat);
      paintBars(pen, node, scene, colours);
      break;
    case "stack":
      paintStack(pen, node, scene, colours);
      break;
    case "input":
      paintCard(pen, node, scene, colours, 0, 22);
      break;
    case "tensor":
      paintTensor(pen, node, scene, colours);
      break;
    case "redistribution":
      paintBadge(pen, node, scene, colours);
      break;
    case "run":
      if (scene.zoom >= wordsFrom) paintWords(pen, node.run.label, node, 30, scene, colours);
      break;
    case "output":
      break;
  }
}

function paintCard(
  pen: Pen,
  node: CanvasNode,
  scene: FarScene,
  colours: SvgColours,
  heat: number,
  radius = 6,
): void {
  const { x, y, width, height } = node;
  const isFar = scene.zoom < wordsFrom;
  pen.beginPath();
  pen.roundRect(x, y, width, height, radius);
  pen.fillStyle = isFar ? mixed(colours.ink2, colours.surface, 14 + 46 * heat) : colours.surface;
  pen.fill();
  pen.lineWidth = 1 / scene.zoom;
  pen.strokeStyle = isFar ? colours.edge : colours.line;
  pen.stroke();
  if (isFar && heat > 0) hatch(pen, node, scene.zoom, heat, colours);
  if (!isFar) paintWords(pen, nameOf(node, scene), node, 12, scene, colours);
}

/** The more is sent for its sake, the closer the lines: tint is never the only sign. */
function hatch(
  pen: Pen,
  { x, y, width, height }: CanvasNode,
  zoom: number,
  heat: number,
  { surface }: SvgColours,
): void {
  const step = (12 - 7 * heat) / zoom;
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  pen.beginPath();
  for (let at = x - height; at < x + width; at += step) {
    pen.moveTo(at, y + height);
    pen.lineTo(at + height, y);
  }
  pen.lineWidth = 1 / zoom;
  pen.strokeStyle = surface;
  pen.stroke();
  pen.restore();
}

function paintStack(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "stack" }>,
  scene: FarScene,
  colours: SvgColours,
): void {
  const { stack, heat } = node;
  const { x, y, width, height } = node;
  for (const by of [8, 4]) {
    const behind = { ...node, x: x + by, y: y + by, width: width - 8, height: height - 8 };
    paintCard(pen, behind, { ...scene, zoom: Math.min(scene.zoom, wordsFrom - 0.01) }, colours, 0);
  }
  const front = { ...node, width: width - 8, height: height - 8 };
  paintCard(pen, front, scene, colours, heat);
  if (scene.zoom < wordsFrom) return;
  pen.textAlign = "right";
  paintWords(pen, `×${stack.count}`, front, width - 24, scene, colours);
  pen.textAlign = "left";
}

/** A bar for each cut of an operator, in the hue of the axis. */
function paintBars(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "operator" }>,
  { lookup, zoom }: FarScene,
  colours: SvgColours,
): void {
  if (zoom < wordsFrom) return;
  const hues = cutHues(lookup, node.operator);
  for (const [at, hue] of hues.entries()) {
    pen.fillStyle = colours.axes[hue];
    pen.fillRect(node.x + node.width - 14 - 26 * (hues.length - at), node.y + 24, 22, 8);
  }
}

function paintTensor(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "tensor" }>,
  scene: FarScene,
  colours: SvgColours,
): void {
  const { x, y, height, caption } = node;
  const { width: room } = caption.glyph;
  if (scene.zoom < wordsFrom) {
    pen.fillStyle = mixed(colours.ink2, colours.surface, 22);
    pen.fillRect(x + 6, y + 8, room - 12, height - 16);
    return;
  }
  const { compiled, tensors, views } = scene.lookup;
  const [tensor, view] = [tensors.get(node.tensor), views.get(node.tensor)];
  if (tensor === undefined || view === undefined) return;
  const drawn = compiled && drawnIn(compiled, tensor, shownLayout(view));
  const bitmap = drawn && scene.bitmaps.of(drawn, caption.glyph, scene.theme);
  if (bitmap !== undefined) {
    const top = y + (height - bitmap.height) / 2;
    pen.drawImage(bitmap.image, x, top, bitmap.width, bitmap.height);
  }
  if (node.side !== "state") paintName(pen, node, room, scene, colours);
}

/**
 * The name of a tensor behind its glyph. Where the box is too short for it, it reaches beyond, or
 * stands before the glyph; where nothing is free, it is cut.
 */
function paintName(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "tensor" }>,
  glyph: number,
  scene: FarScene,
  colours: SvgColours,
): void {
  const { name } = node.caption;
  const [inset, wanted] = [glyph + 11, widthOf(name, scene.zoom)];
  const within = node.width - inset - wordsEnd;
  const { left, right } = wanted > within ? scene.roomBeside(node) : noRoom;
  if (wanted <= within + right || left <= within + right) {
    paintWords(pen, name, { ...node, width: node.width + right }, inset, scene, colours);
    return;
  }
  pen.textAlign = "right";
  const at = { x: node.x - beforeGlyph, y: node.y + node.height / 2 };
  writeWords(pen, cut(name, left, scene.zoom), at, scene.zoom, colours);
  pen.textAlign = "left";
}

/** Between a name that stands before its glyph and the glyph. */
const beforeGlyph = 10;

const noRoom: LabelRoom = { left: 0, right: 0 };

function paintBadge(
  pen: Pen,
  { x, y, width, height }: Extract<CanvasNode, { kind: "redistribution" }>,
  { zoom }: FarScene,
  colours: SvgColours,
): void {
  pen.beginPath();
  pen.roundRect(x, y, width, height, height / 2);
  pen.fillStyle = zoom < wordsFrom ? colours.ink2 : colours.surface;
  pen.fill();
  pen.lineWidth = 1 / zoom;
  pen.strokeStyle = colours.edge;
  pen.stroke();
}

/** Room after words that are cut to their box. */
const wordsEnd = 6;
/** Size of words on the screen, and how wide a letter is. */
const wordsSize = 11;
const letterWidth = 0.61;

function widthOf(words: string, zoom: number): number {
  return (words.length * letterWidth * wordsSize) / zoom;
}

/** Words of one size on the screen from an inset of their box, cut to what is free behind it. */
function paintWords(
  pen: Pen,
  words: string,
  box: CanvasNode,
  inset: number,
  scene: FarScene,
  colours: SvgColours,
): void {
  const shown = words.startsWith("×")
    ? words
    : cut(words, box.width - inset - wordsEnd, scene.zoom);
  const at = { x: box.x + inset, y: box.y + box.height / 2 };
  writeWords(pen, shown, at, scene.zoom, colours);
}

function writeWords(pen: Pen, words: string, at: Point, zoom: number, { ink }: SvgColours): void {
  pen.font = `600 ${wordsSize / zoom}px ${words.startsWith("×") ? uiFont : monoFont}`;
  pen.textBaseline = "middle";
  pen.fillStyle = ink;
  pen.fillText(words, at.x, at.y);
}

/** Of a name in parts the last is kept: `.weight` and `.bias` tell parameters apart. */
function cut(words: string, room: number, zoom: number): string {
  const letters = Math.max(2, Math.floor(room / widthOf("m", zoom)));
  if (words.length <= letters) return words;
  const [head, tail] = nameParts(words);
  const end = tail.length + 3 <= letters ? tail : "";
  const start = end === "" ? words : head;
  return `${start.slice(0, letters - 1 - end.length)}…${end}`;
}

function nameOf(node: CanvasNode, { lookup }: FarScene): string {
  switch (node.kind) {
    case "operator":
      return node.name;
    case "stack":
      return node.stack.label;
    case "input":
      return lookup.tensors.get(node.tensor)?.name ?? "";
    default:
      return "";
  }
}
