import type { Mark, Point } from "#app/scene";
import type { DrawnMark, Lines } from "./joined-marks.ts";
import { paintOf } from "./paint.ts";

/** One mark of a drawing as SVG: its class says what it is, its paint which axis it stands for. */
export function MarkView({ mark }: { readonly mark: Mark | DrawnMark }) {
  const look = { className: `mark-${mark.role}`, style: paintOf(mark), opacity: mark.opacity };
  switch (mark.kind) {
    case "rect":
      return <rect {...look} x={mark.x} y={mark.y} width={mark.width} height={mark.height} />;
    case "path":
      return <path {...look} d={pathOf(mark.points)} />;
    case "areas":
      return <path {...look} d={mark.areas.map(pathOf).join("")} />;
    case "line":
    case "lines":
      return (
        <path
          {...look}
          d={linesOf(mark).map(lineOf).join("")}
          strokeWidth={mark.thickness}
          strokeDasharray={mark.dash?.join(" ")}
        />
      );
    case "circle":
      return <circle {...look} cx={mark.center.x} cy={mark.center.y} r={mark.radius} />;
    case "text":
      return (
        <text
          className={mark.style === "id" ? "mark-id" : "mark-name"}
          x={mark.at.x}
          y={mark.at.y}
          textAnchor={mark.anchor}
        >
          {mark.text}
        </text>
      );
  }
}

type Line = readonly [Point, Point];

function linesOf(mark: Extract<Mark, { kind: "line" }> | Lines): readonly Line[] {
  return mark.kind === "line" ? [[mark.from, mark.to]] : mark.lines;
}

function lineOf([from, to]: Line): string {
  return `M${number(from)}L${number(to)}`;
}

function pathOf(points: readonly Point[]): string {
  return `M${points.map(number).join("L")}Z`;
}

function number({ x, y }: Point): string {
  return `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;
}
