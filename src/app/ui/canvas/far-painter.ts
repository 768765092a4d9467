import type { Point } from "#app/scene";
import {
  edgeArrow,
  farCardOf,
  frameLook,
  frontOf,
  lineLook,
  paperEdge,
  papers,
  stackStep,
} from "#app/scene/card";
import { drawnIn } from "#app/scene/glyph";
import type { CanvasEdge, CanvasFrame, CanvasLayout, CanvasNode } from "#app/scene/graph";
import { mixColours, type SvgColours, type SvgTheme, svgColours } from "#app/scene/svg";
import { shownLayout } from "#compile";
import {
  type FarLabel,
  type FarWords,
  type Pen,
  paintCount,
  paintLabel,
  paintName,
  paintNameBeside,
  wordsFrom,
} from "./far-words.ts";
import type { GlyphBitmaps } from "./glyph-bitmaps.ts";
import type { Lookup } from "./lookup.ts";

/** Input of painting the whole graph at a small zoom. */
export interface FarScene extends FarWords {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly CanvasEdge[];
  readonly frames: readonly CanvasFrame[];
  /** Labels above the shapes, where cards are too small for names. */
  readonly labels: readonly FarLabel[];
  readonly lookup: Lookup;
  readonly theme: SvgTheme;
  readonly bitmaps: GlyphBitmaps;
  /** Highlight of a node while the table of a cost number is open. */
  readonly lightOf: (node: CanvasNode) => "on" | "off" | undefined;
}

/**
 * Zoom below which the graph is one bitmap and only hovered, focused or selected boxes are
 * elements. A training step, which is twice as wide, switches at a smaller zoom and has larger
 * words.
 */
export function farBelow({ heads }: Pick<CanvasLayout, "heads">): number {
  return heads.length > 0 ? 0.4 : 0.5;
}

/** Paints the visible part; the pen's transform maps canvas coordinates. */
export function paintFarCanvas(pen: Pen, scene: FarScene): void {
  const colours = svgColours[scene.theme];
  paintFrames(pen, scene, colours);
  paintEdges(pen, scene, colours);
  for (const node of scene.nodes) {
    pen.globalAlpha = scene.lightOf(node) === "off" ? 0.35 : 1;
    paintNode(pen, node, scene, colours);
  }
  pen.globalAlpha = 1;
  for (const label of scene.labels) paintLabel(pen, label, scene.zoom, colours);
}

function paintFrames(pen: Pen, { frames, zoom }: FarScene, colours: SvgColours): void {
  pen.strokeStyle = colours[frameLook.tone];
  pen.lineWidth = frameLook.width * Math.max(1, 1 / zoom);
  for (const { x, y, width, height } of frames) {
    pen.beginPath();
    pen.roundRect(x, y, width, height, frameLook.radius);
    pen.stroke();
  }
}

/** Least width of a line, in screen pixels. */
const leastLine = 0.8;

function paintEdges(pen: Pen, { edges, zoom }: FarScene, colours: SvgColours): void {
  pen.strokeStyle = colours[lineLook.tone];
  pen.fillStyle = pen.strokeStyle;
  pen.lineWidth = Math.max(lineLook.arrow, leastLine / zoom);
  pen.beginPath();
  for (const { points } of edges) trace(pen, points);
  pen.stroke();
  if (zoom < wordsFrom) return;
  for (const edge of edges) {
    const arrow = edgeArrow(edge);
    if (arrow === undefined) continue;
    pen.beginPath();
    trace(pen, arrow);
    pen.fill();
  }
}

function trace(pen: Pen, points: readonly Point[]): void {
  for (const [at, { x, y }] of points.entries()) {
    if (at === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
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
      paintCard(pen, node, scene, colours, 0);
      break;
    case "tensor":
      paintTensor(pen, node, scene, colours);
      break;
    case "redistribution":
      paintBadge(pen, node, scene, colours);
      break;
    case "run":
      if (scene.zoom >= wordsFrom) paintName(pen, node, scene, colours);
      break;
    case "output":
      break;
  }
}

/** Card of an operator or block, with its name where it can be read. */
function paintCard(
  pen: Pen,
  node: PaperNode,
  scene: FarScene,
  colours: SvgColours,
  heat: number,
): void {
  const { x, y, width, height } = node;
  const isFar = scene.zoom < wordsFrom;
  pen.beginPath();
  pen.roundRect(x, y, width, height, papers[node.kind].radius);
  pen.fillStyle = isFar
    ? mixColours(colours.ink2, colours.surface, 14 + 46 * heat)
    : colours.surface;
  pen.fill();
  pen.lineWidth = paperEdge / scene.zoom;
  pen.strokeStyle = isFar ? colours.edge : colours[papers[node.kind].edge];
  pen.stroke();
  if (isFar && heat > 0) hatch(pen, node, scene.zoom, heat, colours);
  if (!isFar) paintName(pen, node, scene, colours);
}

type PaperNode = Extract<CanvasNode, { kind: "operator" | "input" | "stack" }>;

/**
 * Hatches a card by the bytes sent for it, denser for more: tint alone must not carry the
 * information.
 */
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
  const front = frontOf(node, "stack");
  for (const at of [2, 1]) {
    const behind = { ...front, x: node.x + at * stackStep, y: node.y + at * stackStep };
    paintCard(pen, behind, { ...scene, zoom: Math.min(scene.zoom, wordsFrom - 0.01) }, colours, 0);
  }
  paintCard(pen, front, scene, colours, node.heat);
  if (scene.zoom >= wordsFrom) paintCount(pen, node, scene, colours);
}

/**
 * One bar per axis that cuts an operator, in the axis' hue, at the foot of the card, below its
 * name.
 */
function paintBars(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "operator" }>,
  { lookup, zoom }: FarScene,
  colours: SvgColours,
): void {
  if (zoom < wordsFrom) return;
  const { bars } = farCardOf(lookup, node);
  const [width, height] = [barWidth / zoom, barHeight / zoom];
  const y = node.y + node.height - height - paperEdge / zoom;
  for (const [at, hue] of bars.entries()) {
    pen.fillStyle = colours.axes[hue];
    pen.fillRect(
      node.x + node.width - 8 - (width + 1 / zoom) * (bars.length - at),
      y,
      width,
      height,
    );
  }
}

/** Size of an axis bar, in screen pixels. */
const barWidth = 9;
const barHeight = 3;

function paintTensor(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "tensor" }>,
  scene: FarScene,
  colours: SvgColours,
): void {
  const { x, y, height, caption } = node;
  const { width: room } = caption.glyph;
  if (scene.zoom < wordsFrom) {
    pen.fillStyle = mixColours(colours.ink2, colours.surface, 22);
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
  paintNameBeside(pen, node, scene, colours);
}

/** Badge of a redistribution: one bar per axis that it communicates over. */
function paintBadge(
  pen: Pen,
  node: Extract<CanvasNode, { kind: "redistribution" }>,
  { lookup, zoom }: FarScene,
  colours: SvgColours,
): void {
  const { x, y, width, height } = node;
  pen.beginPath();
  pen.roundRect(x, y, width, height, papers.redistribution.radius);
  pen.fillStyle = zoom < wordsFrom ? colours.ink2 : colours.surface;
  pen.fill();
  pen.lineWidth = paperEdge / zoom;
  pen.strokeStyle = colours[papers.redistribution.edge];
  pen.stroke();
  if (zoom < wordsFrom) return;
  const { bars } = farCardOf(lookup, node);
  const step = Math.min((barWidth + 2) / zoom, width / (bars.length + 1));
  const left = x + (width - step * bars.length) / 2;
  for (const [at, hue] of bars.entries()) {
    pen.fillStyle = colours.axes[hue];
    pen.fillRect(left + step * at, y + height / 2 - 1.5 / zoom, step * 0.8, barHeight / zoom);
  }
}
