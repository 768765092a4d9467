import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { figureTotal, type ModuleMetric, moduleFigures } from "#app/scene/figures";
import { formatShare } from "#app/scene/text";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";
import { useWidth } from "../use-width.ts";
import { IcicleCell } from "./IcicleCell.tsx";
import { cellName, type ModuleCell, moduleCells, withNarrowJoined } from "./module-cells.ts";
import { amount, longLabel, partsText } from "./module-words.ts";

interface Props {
  readonly compiled: Compiled;
  readonly metric: ModuleMetric;
}

/**
 * Icicle chart of modules: each cell lies below its parent and is as wide as its share of the
 * total.
 */
export function Icicle({ compiled, metric }: Props) {
  const root = useMemo(() => moduleFigures(compiled), [compiled]);
  const cells = useMemo(() => moduleCells(root, metric), [root, metric]);
  if (!isKnown(compiled, metric)) {
    return <p className="icicle-words mut">Not known: a shape of the program is not.</p>;
  }
  if (cells.length === 0) {
    const nothing = { time: "Nothing takes time.", memory: "No device holds anything." };
    const words = metric === "bytes" ? "No device sends anything." : nothing[metric];
    return <p className="icicle-words mut">{words}</p>;
  }
  return <Cells cells={cells} metric={metric} />;
}

function isKnown({ cost, memory }: Compiled, metric: ModuleMetric): boolean {
  const figures = { time: cost.seconds, bytes: cost.bytes, memory: memory.peakBytes };
  return !Number.isNaN(figures[metric]);
}

/** Width of a letter, and the least width of a cell that can be pressed, both in pixels. */
const letter = 6.2;
const leastTarget = 24;
/** Width (px) below which neighbouring cells are drawn as one. */
const leastDrawn = 3;

interface CellsProps {
  readonly cells: readonly ModuleCell[];
  readonly metric: ModuleMetric;
}

function Cells({ cells: all, metric }: CellsProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 336);
  const cells = useMemo(
    () => withNarrowJoined(all, metric, leastDrawn / width),
    [all, metric, width],
  );
  const [key, go] = useState("");
  const link = useApp((state) => state.linkOperators);
  const wide = cells.filter((cell) => cell.width * width >= leastTarget);
  const narrow = all.filter((cell) => !hasRoom(cell, width));
  const isShown = ({ node }: ModuleCell) => node.key === key;
  const at = Math.max(0, wide.findIndex(isShown));
  const shown = all.find(isShown) ?? cells.find(isShown) ?? cells[0];
  const point = (cell: ModuleCell | undefined) =>
    link(cell?.node.name ?? "", cell === undefined || cell.row === 0 ? [] : cell.node.operators);
  const read = (cell: ModuleCell) => {
    go(cell.node.key);
    point(cell);
  };
  const rows = Math.max(...cells.map(({ row }) => row)) + 1;
  const whole = figureTotal(cells[0]?.node.figures[metric] ?? {});
  return (
    <>
      <div
        ref={box}
        className="icicle"
        role="toolbar"
        aria-label={`${metric} by module`}
        style={{ height: `calc(var(--row) * ${rows})` }}
        onKeyDown={(event) => focusAfterKey(event, wide, at)}
        onPointerLeave={() => point(undefined)}
      >
        {cells.map((cell) => (
          <IcicleCell
            key={cell.node.key}
            cell={cell}
            metric={metric}
            whole={whole}
            name={hasRoom(cell, width) ? cellName(cell.node, cell.around) : undefined}
            hasAmount={cell.width * width > letter * (longLabel(cell, metric).length + 1)}
            isTarget={cell.width * width >= leastTarget}
            isCurrent={cell === wide[at]}
            onPoint={() => point(cell)}
            onRead={() => read(cell)}
            onLeave={() => point(undefined)}
          />
        ))}
      </div>
      {shown !== undefined && <CellWords cell={shown} metric={metric} whole={whole} />}
      {narrow.length > 0 && <Narrow cells={narrow} metric={metric} onRead={read} onPoint={point} />}
    </>
  );
}

interface CellWordsProps extends Pick<CellsProps, "metric"> {
  readonly cell: ModuleCell;
  readonly whole: number;
}

/** The hovered or selected module, in words. */
function CellWords({ cell, metric, whole }: CellWordsProps) {
  return (
    <p className="icicle-words" data-testid="module-words">
      <b>{longLabel(cell, metric)}</b>,{" "}
      {formatShare(figureTotal(cell.node.figures[metric]) / whole)}: {partsText(cell.node, metric)}
    </p>
  );
}

function hasRoom({ node, width, around }: ModuleCell, pixels: number): boolean {
  return width * pixels > letter * cellName(node, around).length + 8;
}

/** Limit of listed names; further cells are only counted. */
const mostListed = 8;

interface NarrowProps extends CellsProps {
  readonly onRead: (cell: ModuleCell) => void;
  readonly onPoint: (cell: ModuleCell | undefined) => void;
}

/** Buttons below the chart for cells too narrow for their names. */
function Narrow({ cells, metric, onRead, onPoint }: NarrowProps) {
  const sorted = [...cells].sort((a, b) => b.width - a.width);
  const rest = sorted.length - mostListed;
  return (
    <div className="icicle-words icicle-narrow mut">
      <span>Too narrow for a name:</span>
      {sorted.slice(0, mostListed).map((cell) => (
        <button
          key={cell.node.key}
          type="button"
          className="lk"
          onClick={() => onRead(cell)}
          onFocus={() => onRead(cell)}
          onBlur={() => onPoint(undefined)}
          onPointerEnter={() => onPoint(cell)}
          onPointerLeave={() => onPoint(undefined)}
        >
          {cell.node.name} {amount(metric, figureTotal(cell.node.figures[metric]))}
        </button>
      ))}
      {rest > 0 && <span>and {rest} smaller ones</span>}
    </div>
  );
}

/** Moves the focus between cells that are wide enough to be pressed. */
function focusAfterKey(
  event: KeyboardEvent<HTMLElement>,
  cells: readonly ModuleCell[],
  at: number,
): void {
  const next = afterKey(event.key, cells, at);
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.querySelectorAll("button")[next]?.focus();
}

/**
 * Index of the cell that a key leads to: left and right along the row, up to the parent, down to
 * the first child. `undefined` for other keys.
 */
function afterKey(key: string, cells: readonly ModuleCell[], at: number): number | undefined {
  const here = cells[at];
  if (here === undefined) return undefined;
  const end = here.left + here.width;
  const row = cells.filter((cell) => cell.row === here.row);
  const found: Readonly<Record<string, ModuleCell | undefined>> = {
    ArrowLeft: row[row.indexOf(here) - 1],
    ArrowRight: row[row.indexOf(here) + 1],
    ArrowUp: cells.find(
      ({ row: other, left, width }) =>
        other === here.row - 1 && left <= here.left && end <= left + width + 1e-9,
    ),
    ArrowDown: cells.find(
      ({ row: other, left }) => other === here.row + 1 && here.left <= left && left < end,
    ),
    Home: cells[0],
  };
  if (!Object.hasOwn(found, key)) return undefined;
  const next = found[key];
  return next === undefined ? at : cells.indexOf(next);
}
