import type { Mark, Point } from "#app/scene";
import type { DrawnMark } from "./joined-marks.ts";
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
      return (
        <path
          {...look}
          d={`M${number(mark.from)}L${number(mark.to)}`}
          strokeWidth={mark.thickness}
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

function pathOf(points: readonly Point[]): string {
  return `M${points.map(number).join("L")}Z`;
}

function number({ x, y }: Point): string {
  return `${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}`;
}
