import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo, useState } from "react";
import {
  type FoldedItem,
  foldedItems,
  formatBytes,
  formatRate,
  formatSeconds,
  formatShare,
  type ItemColumn,
  sortedItems,
} from "#app/scene";
import type { Compiled } from "#app/state";
import { Icon } from "../atoms/Icon.tsx";
import "../styles/timeline.css";

interface Props {
  readonly compiled: Compiled;
  /** The column by which the list is sorted first. */
  readonly by: ItemColumn;
}

/** Rows that stand there before anybody asks for more. */
const few = 5;
const many = 200;

const columns: readonly (readonly [ItemColumn, string])[] = [
  ["time", "time"],
  ["exposed", "exposed"],
  ["bytes", "bytes"],
  ["memory", "memory"],
  ["flops", "operations"],
];

/** All that a step computes, sends and holds, equal layers as one, in the order of any figure. */
export function ItemsTable({ compiled, by }: Props) {
  const items = useMemo(() => foldedItems(compiled), [compiled]);
  const [sort, setSort] = useState<{ readonly by: ItemColumn; readonly order: "most" | "least" }>();
  const [isLong, setLong] = useState(false);
  const column = sort?.by ?? by;
  const order = sort?.order ?? "most";
  const rows = useMemo(() => sortedItems(items, column, order), [items, column, order]);
  if (items.length === 0) return null;
  const shown = rows.slice(0, isLong ? many : few);
  const press = (next: ItemColumn) =>
    setSort({ by: next, order: next === column && order === "most" ? "least" : "most" });
  const present = columns.filter(([name]) => items.some(({ figures }) => figures[name] !== 0));
  return (
    <div className="items" data-testid="items">
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">layers as one</th>
            {present.map(([name, text]) => (
              <th
                scope="col"
                className="n"
                key={name}
                aria-sort={
                  name === column ? (order === "most" ? "descending" : "ascending") : "none"
                }
              >
                <button type="button" className="sort" onClick={() => press(name)}>
                  {text}
                  {name === column && (
                    <Icon icon={order === "most" ? ArrowDown : ArrowUp} size={12} />
                  )}
                </button>
              </th>
            ))}
            <th scope="col" className="n">
              share
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr key={item.key}>
              <Name item={item} />
              {present.map(([name]) => (
                <td className="n" key={name}>
                  {figure(name, item.figures[name])}
                </td>
              ))}
              <td className="n">{formatShare(item.figures[column] / wholeOf(compiled, column))}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > few && (
        <button
          type="button"
          className="lk"
          aria-expanded={isLong}
          onClick={() => setLong(!isLong)}
        >
          {isLong ? `The ${few} first` : `All ${rows.length}`}
        </button>
      )}
      {isLong && rows.length > many && <p className="mut">and {rows.length - many} more</p>}
    </div>
  );
}

function Name({ item: { what, where, count } }: { readonly item: FoldedItem }) {
  const many = count > 1 ? ` ×${count}` : "";
  return (
    <td title={`${what}${many} ${where}`}>
      {what}
      {many} <span className="mut mono">{where}</span>
    </td>
  );
}

function figure(column: ItemColumn, value: number): string {
  if (value === 0) return "";
  switch (column) {
    case "time":
    case "exposed":
      return formatSeconds(value);
    case "flops":
      return formatRate(value, "FLOP");
    default:
      return formatBytes(value);
  }
}

/** What a share is of: the step, the memory at its peak, all bytes, all operations. */
function wholeOf({ cost, memory }: Compiled, column: ItemColumn): number {
  switch (column) {
    case "time":
      return cost.seconds;
    case "exposed":
      return cost.exposedSeconds;
    case "bytes":
      return cost.bytes;
    case "memory":
      return memory.peakBytes;
    default:
      return cost.flops;
  }
}
