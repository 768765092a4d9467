import {
  lookOf,
  type Mark,
  monoFont,
  type Paint,
  type Pattern,
  type Point,
  patternId,
  textLooks,
  tileOf,
} from "#app/scene";
import { colourOf, type SvgColours } from "#app/scene/svg";

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Paints the marks of a drawing in the colours of a theme. */
export function paintMarks(pen: Pen, marks: readonly Mark[], colours: SvgColours): void {
  const patterns = new Patterns(pen, colours);
  for (const mark of marks) {
    pen.save();
    pen.globalAlpha = mark.opacity ?? 1;
    if (mark.kind === "text") paintText(pen, mark, colours);
    else paintShape(pen, mark, patterns);
    pen.restore();
  }
}

function paintShape(pen: Pen, mark: Shape, patterns: Patterns): void {
  const { fill, stroke, width = 1, dash = [] } = lookOf(mark);
  const path = pathOf(mark);
  const filling = fill && patterns.styleOf(fill);
  if (filling !== undefined) {
    pen.fillStyle = filling;
    pen.fill(path);
  }
  const drawing = stroke && patterns.styleOf(stroke);
  if (drawing === undefined) return;
  pen.strokeStyle = drawing;
  pen.lineWidth = width;
  pen.setLineDash([...dash]);
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

function paintText(
  pen: Pen,
  { style, text, at, anchor }: Extract<Mark, { kind: "text" }>,
  colours: SvgColours,
): void {
  const aligns = { start: "left", middle: "center", end: "right" } as const;
  const { size, weight, ink, halo } = textLooks[style];
  pen.textAlign = aligns[anchor];
  pen.font = `${weight} ${size}px ${monoFont}`;
  if (halo > 0) {
    pen.strokeStyle = colours.surface;
    pen.lineWidth = halo;
    pen.lineJoin = "round";
    pen.strokeText(text, at.x, at.y);
  }
  pen.fillStyle = colours[ink];
  pen.fillText(text, at.x, at.y);
}

/** Colours of a theme, and canvas patterns that are created on first use. */
class Patterns {
  private readonly pen: Pen;
  private readonly colours: SvgColours;
  private readonly made = new Map<string, CanvasPattern | undefined>();

  constructor(pen: Pen, colours: SvgColours) {
    this.pen = pen;
    this.colours = colours;
  }

  styleOf(paint: Paint): string | CanvasPattern | undefined {
    if (paint.kind !== "pattern") return colourOf(paint, this.colours);
    const key = patternId(paint);
    if (!this.made.has(key)) this.made.set(key, this.make(paint));
    return this.made.get(key);
  }

  private make(of: Pattern): CanvasPattern | undefined {
    const { size, scale, turn, path, width, paint } = tileOf(of);
    const tile = new OffscreenCanvas(size * fine, size * fine);
    const pen = tile.getContext("2d");
    if (pen === null) return undefined;
    pen.scale(fine, fine);
    pen.strokeStyle = colourOf(paint, this.colours);
    pen.fillStyle = pen.strokeStyle;
    if (width === undefined) pen.fill(new Path2D(path));
    else {
      pen.lineWidth = width;
      pen.stroke(new Path2D(path));
    }
    const pattern = this.pen.createPattern(tile, "repeat");
    pattern?.setTransform(new DOMMatrix().rotate(turn).scale(scale / fine));
    return pattern ?? undefined;
  }
}

/** Bitmap pixels of a pattern tile per CSS pixel. */
const fine = 4;
