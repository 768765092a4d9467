import {
  axisTextures,
  type Hue,
  haloTexture,
  type Mark,
  mixed,
  type Point,
  type SvgColours,
  type TextureStep,
  textureInk,
  tileLook,
} from "#app/scene";

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const rulerMore = 40;
const monoFont = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Paints the marks of a drawing with the colours of a theme, as the style sheet has them. */
export function paintMarks(pen: Pen, marks: readonly Mark[], colours: SvgColours): void {
  const patterns = new Patterns(pen, colours);
  for (const mark of marks) {
    pen.save();
    pen.globalAlpha = mark.opacity ?? 1;
    paintMark(pen, mark, colours, patterns);
    pen.restore();
  }
}

function paintMark(pen: Pen, mark: Mark, colours: SvgColours, patterns: Patterns): void {
  if (mark.kind === "text") {
    paintText(pen, mark, colours);
    return;
  }
  const fill = fillOf(mark, colours, patterns);
  const stroke = strokeOf(mark, colours);
  const path = pathOf(mark);
  if (fill !== undefined && mark.kind !== "line") {
    pen.fillStyle = fill;
    pen.fill(path);
  }
  if (stroke === undefined) return;
  pen.strokeStyle = stroke.colour;
  pen.lineWidth = mark.kind === "line" ? mark.thickness : stroke.width;
  pen.setLineDash(mark.kind === "line" ? [...(mark.dash ?? [])] : stroke.dash);
  pen.stroke(path);
}

type Shape = Exclude<Mark, { kind: "text" }>;

function pathOf(mark: Shape): Path2D {
  const path = new Path2D();
  switch (mark.kind) {
    case "rect":
      path.rect(mark.x, mark.y, mark.width, mark.height);
      break;
    case "circle":
      path.arc(mark.center.x, mark.center.y, mark.radius, 0, 2 * Math.PI);
      break;
    case "line":
      trace(path, [mark.from, mark.to]);
      break;
    case "path":
      trace(path, mark.points);
      path.closePath();
  }
  return path;
}

function trace(path: Path2D, points: readonly Point[]): void {
  for (const [at, { x, y }] of points.entries()) {
    if (at === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
}

function fillOf(
  { role, hue, tint = 0, step }: Shape,
  colours: SvgColours,
  patterns: Patterns,
): string | CanvasPattern | undefined {
  switch (role) {
    case "back":
      return colours.surface;
    case "whole":
      return colours.sunken;
    case "dot":
      return colours.ink;
    case "tint":
      return hue && mixed(colours.axes[hue], colours.surface, tint + colours.tintMore);
    case "ruler":
      return hue && mixed(colours.axes[hue], colours.surface, tint + rulerMore);
    case "texture":
      return hue && patterns.of("texture", hue, step);
    case "hatch":
    case "cardEdge":
      return hue && patterns.of("hatch", hue);
    case "halo":
      return hue && patterns.of("halo", hue);
    case "dots":
    case "brokenEdge":
      return hue && patterns.of("dots", hue);
    default:
      return undefined;
  }
}

function strokeOf(
  { kind, role, hue }: Shape,
  colours: SvgColours,
): { readonly colour: string; readonly width: number; readonly dash: number[] } | undefined {
  const { edge, ink2, axes } = colours;
  switch (role) {
    case "back":
      return kind === "line" ? { colour: colours.surface, width: 1, dash: [] } : undefined;
    case "texture":
      if (kind !== "line" || hue === undefined) return undefined;
      return { colour: textureInk(colours, hue), width: 1, dash: [] };
    case "outline":
    case "cardEdge":
      return { colour: edge, width: 1, dash: [] };
    case "broken":
    case "brokenEdge":
      return { colour: ink2, width: 1.1, dash: [3, 2.4] };
    case "halo":
      return { colour: hue === undefined ? edge : axes[hue], width: 1, dash: [] };
    case "ghost":
      return { colour: edge, width: 1, dash: [1.5, 2] };
    case "cut":
      return { colour: hue === undefined ? edge : axes[hue], width: 1, dash: [] };
    default:
      return undefined;
  }
}

function paintText(
  pen: Pen,
  { style, text, at, anchor }: Extract<Mark, { kind: "text" }>,
  { ink, ink2, surface }: SvgColours,
): void {
  const aligns = { start: "left", middle: "center", end: "right" } as const;
  pen.textAlign = aligns[anchor];
  pen.font = style === "id" ? `600 10px ${monoFont}` : `500 11px ${monoFont}`;
  if (style === "id") {
    pen.strokeStyle = surface;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeText(text, at.x, at.y);
  }
  pen.fillStyle = style === "id" ? ink : ink2;
  pen.fillText(text, at.x, at.y);
}

type PatternKind = "texture" | "hatch" | "dots" | "halo";

/** The textures of the axes, made as they are needed. */
class Patterns {
  private readonly pen: Pen;
  private readonly colours: SvgColours;
  private readonly made = new Map<string, CanvasPattern | undefined>();

  constructor(pen: Pen, colours: SvgColours) {
    this.pen = pen;
    this.colours = colours;
  }

  of(kind: PatternKind, hue: Hue, step: TextureStep = 0): CanvasPattern | undefined {
    const key = `${kind} ${hue} ${step}`;
    if (!this.made.has(key)) this.made.set(key, this.make(kind, hue, step));
    return this.made.get(key);
  }

  private make(kind: PatternKind, hue: Hue, step: TextureStep): CanvasPattern | undefined {
    const size = { texture: 6, hatch: 5, dots: 7, halo: 4 }[kind];
    const { scale, weight } = kind === "texture" ? tileLook(hue, step) : { scale: 1, weight: 1 };
    const tile = new OffscreenCanvas(size * fine, size * fine);
    const pen = tile.getContext("2d");
    if (pen === null) return undefined;
    pen.scale(fine, fine);
    pen.lineWidth = weight / scale;
    pen.strokeStyle = kind === "texture" ? textureInk(this.colours, hue) : this.colours.axes[hue];
    pen.fillStyle = this.colours.axes[hue];
    if (kind === "texture") pen.stroke(new Path2D(axisTextures[hue]));
    if (kind === "halo") pen.stroke(new Path2D(haloTexture));
    if (kind === "hatch") {
      pen.lineWidth = 1.25;
      pen.stroke(new Path2D("M2.5 0V5"));
    }
    if (kind === "dots") {
      for (const at of [1.75, 5.25]) {
        pen.beginPath();
        pen.arc(at, at, 1, 0, 2 * Math.PI);
        pen.fill();
      }
    }
    const pattern = this.pen.createPattern(tile, "repeat");
    const shrunk = new DOMMatrix().rotate(kind === "hatch" ? 45 : 0).scale(scale / fine);
    pattern?.setTransform(shrunk);
    return pattern ?? undefined;
  }
}

/** Pixels of a texture's tile per CSS pixel. */
const fine = 4;
