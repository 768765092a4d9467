import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import {
  type FigureKind,
  figureKinds,
  figureTotal,
  formatBytes,
  formatSeconds,
  formatShare,
  type ModuleFigures,
  type ModuleMetric,
  moduleFigures,
} from "#app/scene";
import { type Compiled, drawn } from "#app/state";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";
import { useWidth } from "../use-width.ts";
import { cellName, type ModuleCell, moduleCells } from "./module-cells.ts";
import "../styles/timeline.css";

const metrics = [
  ["time", "time"],
  ["bytes", "bytes"],
  ["memory", "memory"],
] as const satisfies readonly (readonly [ModuleMetric, string])[];

/** Time, bytes and memory by module, as a section that folds away. */
export function ModuleTimes() {
  const compiled = useApp(drawn);
  const [metric, show] = useState<ModuleMetric>("time");
  if (compiled === undefined || compiled.graph.operators.length === 0) return null;
  const title = { time: "Time by module", bytes: "Bytes by module", memory: "Memory by module" };
  return (
    <details className="module-times" open data-testid="module-times">
      <summary className="head">
        <h2>{title[metric]}</h2>
        {metric === "time" && (
          <span className="mut end">
            <i className="exposed-mark" aria-hidden="true" /> exposed
          </span>
        )}
      </summary>
      <Segmented label="Figure of the modules" value={metric} choices={metrics} onChange={show} />
      <Icicle compiled={compiled} metric={metric} />
    </details>
  );
}

/** Pixels from which on a name stands in its cell. */
const letter = 6.4;

function Icicle({
  compiled,
  metric,
}: {
  readonly compiled: Compiled;
  readonly metric: ModuleMetric;
}) {
  const root = useMemo(() => moduleFigures(compiled), [compiled]);
  const cells = useMemo(() => moduleCells(root, metric), [root, metric]);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 336);
  const [at, go] = useState(0);
  const link = useApp((state) => state.linkOperators);
  if (!isKnown(compiled, metric)) {
    return <p className="mut">Not known: a shape of the program is not.</p>;
  }
  if (cells.length === 0) {
    return <p className="mut">{metric === "bytes" ? "No device sends anything." : "Nothing."}</p>;
  }
  const current = Math.min(at, cells.length - 1);
  const point = (cell: ModuleCell | undefined) =>
    link(cell?.node.name ?? "", cell === undefined || cell.row === 0 ? [] : cell.node.operators);
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const next = afterKey(event.key, cells, current);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(next);
    event.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  const rows = Math.max(...cells.map(({ row }) => row)) + 1;
  const narrow = cells.filter((cell) => !hasRoom(cell, width) && cell.width * width < mostNarrow);
  const whole = figureTotal(root.figures[metric]);
  return (
    <>
      <div
        ref={box}
        className="icicle"
        role="toolbar"
        aria-label={`${metric} by module`}
        aria-orientation="horizontal"
        style={{ height: rows * rowHeight }}
        onKeyDown={onKey}
        onPointerLeave={() => point(undefined)}
      >
        {cells.map((cell, index) => (
          <Cell
            key={cell.node.key}
            cell={cell}
            metric={metric}
            whole={whole}
            isNamed={hasRoom(cell, width)}
            isCurrent={index === current}
            isWide={cell.width * width > letter * (longLabel(cell.node, metric).length + 1)}
            onPoint={() => point(cell)}
            onFocus={() => {
              go(index);
              point(cell);
            }}
            onBlur={() => point(undefined)}
          />
        ))}
      </div>
      <Current node={cells[current]?.node ?? root} metric={metric} whole={whole} />
      {narrow.length > 0 && <Narrow cells={narrow} metric={metric} />}
    </>
  );
}

const rowHeight = 26;
const mostNarrow = 64;

function hasRoom({ node, width }: ModuleCell, pixels: number): boolean {
  return width * pixels > letter * cellName(node).length + 8;
}

function isKnown({ cost, memory }: Compiled, metric: ModuleMetric): boolean {
  const figures = { time: cost.seconds, bytes: cost.bytes, memory: memory.peakBytes };
  return !Number.isNaN(figures[metric]);
}

function amount(metric: ModuleMetric, value: number): string {
  return metric === "time" ? formatSeconds(value) : formatBytes(value);
}

function longLabel(node: ModuleFigures, metric: ModuleMetric): string {
  return `${cellName(node)} ${amount(metric, figureTotal(node.figures[metric]))}`;
}

interface CellProps {
  readonly cell: ModuleCell;
  readonly metric: ModuleMetric;
  readonly whole: number;
  readonly isNamed: boolean;
  readonly isWide: boolean;
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onFocus: () => void;
  readonly onBlur: () => void;
}

function Cell({
  cell,
  metric,
  whole,
  isNamed,
  isWide,
  isCurrent,
  onPoint,
  onFocus,
  onBlur,
}: CellProps) {
  const { node, row, left, width } = cell;
  const total = figureTotal(node.figures[metric]);
  return (
    <button
      type="button"
      className="cell"
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${longLabel(node, metric)}, ${formatShare(total / whole)}: ${partsText(node, metric)}`}
      title={longLabel(node, metric)}
      data-module={node.key}
      data-amount={total}
      style={{ left: percent(left), width: percent(width), top: row * rowHeight }}
      onPointerEnter={onPoint}
      onFocus={onFocus}
      onBlur={onBlur}
      onClick={onFocus}
    >
      {isNamed && (
        <span>
          {cellName(node)}
          {isWide && <b> {amount(metric, total)}</b>}
        </span>
      )}
      <Split node={node} metric={metric} total={total} />
    </button>
  );
}

/** The passes of a figure, and what of it is exposed, in true proportion. */
function Split({
  node,
  metric,
  total,
}: {
  node: ModuleFigures;
  metric: ModuleMetric;
  total: number;
}) {
  return (
    <span className="split" aria-hidden="true">
      {figureKinds.map((kind) => {
        const part = node.figures[metric][kind] ?? 0;
        return part === 0 ? null : (
          <i key={kind} className={`of-${kind}`} style={{ width: percent(part / total) }} />
        );
      })}
    </span>
  );
}

const kindWords: Readonly<Record<FigureKind, string>> = {
  ...{ forward: "forward", backward: "backward", update: "update", held: "at the peak" },
  ...{ exposed: "exposed", waiting: "waiting for the host" },
};

function partsText({ figures }: ModuleFigures, metric: ModuleMetric): string {
  return figureKinds
    .flatMap((kind) => {
      const part = figures[metric][kind];
      return part === undefined ? [] : [`${amount(metric, part)} ${kindWords[kind]}`];
    })
    .join(", ");
}

interface CurrentProps {
  readonly node: ModuleFigures;
  readonly metric: ModuleMetric;
  readonly whole: number;
}

/** The cell that has the focus, or had it last, in words. */
function Current({ node, metric, whole }: CurrentProps) {
  const total = figureTotal(node.figures[metric]);
  return (
    <p className="icicle-words" data-testid="module-words">
      <b>{longLabel(node, metric)}</b>, {formatShare(total / whole)}: {partsText(node, metric)}
    </p>
  );
}

/** Names that are listed in words; the rest are counted. */
const mostListed = 8;

function Narrow({
  cells,
  metric,
}: {
  readonly cells: readonly ModuleCell[];
  metric: ModuleMetric;
}) {
  const sorted = [...cells].sort((a, b) => b.width - a.width);
  const rest = sorted.length - mostListed;
  return (
    <p className="icicle-words mut">
      Too narrow for a name:{" "}
      {sorted
        .slice(0, mostListed)
        .map(({ node }) => longLabel(node, metric))
        .join(", ")}
      {rest > 0 && `, and ${rest} smaller ones`}.
    </p>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(4)}%`;
}

/** Left and right go along a row, up to what a cell is part of, down to its first part. */
function afterKey(key: string, cells: readonly ModuleCell[], at: number): number | undefined {
  const here = cells[at];
  if (here === undefined) return undefined;
  const row = cells.flatMap((cell, index) => (cell.row === here.row ? [index] : []));
  const along = (by: number) => row[row.indexOf(at) + by] ?? at;
  switch (key) {
    case "ArrowLeft":
      return along(-1);
    case "ArrowRight":
      return along(1);
    case "ArrowUp":
      return here.parent < 0 ? at : here.parent;
    case "ArrowDown": {
      const below = cells.findIndex(({ parent }) => parent === at);
      return below < 0 ? at : below;
    }
    case "Home":
      return 0;
    default:
      return undefined;
  }
}
