import { type Mark, type Point, type Rect, textLooks } from "#app/scene";
import { tokenOf } from "#app/scene/svg";
import type { DrawnMark, Lines } from "./joined-marks.ts";
import { paintOf } from "./paint.ts";

/**
 * One mark of a drawing as SVG: its class names its kind, and the table of looks gives its colours.
 */
export function MarkView({ mark }: { readonly mark: Mark | DrawnMark }) {
  if (mark.kind === "text") return <Words mark={mark} />;
  const look = { className: `mark-${mark.role}`, opacity: mark.opacity, ...paintOf(mark) };
  switch (mark.kind) {
    case "rect":
      // A path, since one attribute of a path changes sooner than four of a rectangle.
      return <path {...look} d={rectOf(mark)} />;
    case "path":
      return <path {...look} d={pathOf(mark.points)} />;
    case "areas":
      return <path {...look} d={mark.areas.map(pathOf).join("")} />;
    case "line":
    case "lines":
      return <path {...look} d={linesOf(mark).map(lineOf).join("")} />;
    case "circle":
      return <circle {...look} cx={mark.center.x} cy={mark.center.y} r={mark.radius} />;
  }
}

function Words({ mark }: { readonly mark: Extract<Mark, { kind: "text" }> }) {
  const { style, at, anchor, text } = mark;
  const { size, weight, ink, halo } = textLooks[style];
  const round = {
    stroke: "var(--surface)",
    strokeWidth: halo,
    strokeLinejoin: "round",
    paintOrder: "stroke",
  } as const;
  return (
    <text
      x={at.x}
      y={at.y}
      textAnchor={anchor}
      fontFamily="var(--font-mono)"
      fontSize={size}
      fontWeight={weight}
      fill={`var(--${tokenOf[ink]})`}
      {...(halo > 0 && round)}
    >
      {text}
    </text>
  );
}

type Line = readonly [Point, Point];

function linesOf(mark: Extract<Mark, { kind: "line" }> | Lines): readonly Line[] {
  return mark.kind === "line" ? [[mark.from, mark.to]] : mark.lines;
}

function lineOf([from, to]: Line): string {
  return `M${number(from)}L${number(to)}`;
}

function rectOf({ x, y, width, height }: Rect): string {
  return `M${x} ${y}h${width}v${height}h${-width}Z`;
}

function pathOf(points: readonly Point[]): string {
  return `M${points.map(number).join("L")}Z`;
}

function number({ x, y }: Point): string {
  return `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;
}
