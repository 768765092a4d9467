import { figureKinds, figureTotal, type ModuleMetric } from "#app/scene/figures";
import { formatShare } from "#app/scene/text";
import type { ModuleCell } from "./module-cells.ts";
import { amount, longLabel, partsText } from "./module-words.ts";

interface Props {
  readonly cell: ModuleCell;
  readonly metric: ModuleMetric;
  readonly whole: number;
  /** Absent where it has no room. */
  readonly name: string | undefined;
  readonly hasAmount: boolean;
  /** Whether the cell is wide enough to be pressed; else a button below the picture is. */
  readonly isTarget: boolean;
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onRead: () => void;
  readonly onLeave: () => void;
}

/**
 * A module as wide as its share, with its passes and, along its foot, its exposed communication.
 */
export function IcicleCell(props: Props) {
  const { cell, metric, whole, isTarget, isCurrent, onPoint, onRead, onLeave } = props;
  const { node, row, left, width } = cell;
  const total = figureTotal(node.figures[metric]);
  // A cell draws its upper and left edge; the last cell of a row also its right edge.
  const isLast = left + width > 1 - 1e-6;
  const className = isLast ? "cell last" : "cell";
  const place = {
    className,
    style: { left: percent(left), width: percent(width), top: `calc(var(--row) * ${row})` },
    title: longLabel(cell, metric),
    "data-module": node.key,
    "data-amount": total,
    onPointerEnter: onPoint,
  };
  if (!isTarget) {
    return (
      <div aria-hidden="true" {...place}>
        <Inside {...props} total={total} />
      </div>
    );
  }
  const words = `${longLabel(cell, metric)}, ${formatShare(total / whole)}`;
  return (
    <button
      type="button"
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`${words}: ${partsText(node, metric)}`}
      onFocus={onRead}
      onBlur={onLeave}
      onClick={onRead}
      {...place}
    >
      <Inside {...props} total={total} />
    </button>
  );
}

function Inside({ cell: { node }, metric, name, hasAmount, total }: Props & { total: number }) {
  return (
    <>
      {name !== undefined && (
        <span className="name">
          {name}
          {hasAmount && <b> {amount(metric, total)}</b>}
        </span>
      )}
      <span className="split" aria-hidden="true">
        {figureKinds.map((kind) => {
          const part = node.figures[metric][kind] ?? 0;
          return part === 0 ? null : (
            <i key={kind} className={`of-${kind}`} style={{ width: percent(part / total) }} />
          );
        })}
      </span>
    </>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(4)}%`;
}
