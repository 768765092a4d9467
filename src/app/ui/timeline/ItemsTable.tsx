import { useMemo, useState } from "react";
import { type FoldedItem, foldedItems, type ItemColumn, sortedItems } from "#app/scene/figures";
import { formatBytes, formatRate, formatSeconds, formatShare } from "#app/scene/text";
import type { Compiled } from "#compile";
import { Segmented } from "../atoms/Segmented.tsx";
import { orderOf, SortHead } from "../atoms/SortHead.tsx";
import { useIsAsked } from "../lesson/asked.tsx";
import { useScreen } from "../screen.ts";
import "../styles/timeline.css";

interface Props {
  readonly compiled: Compiled;
  /** The column by which the list is sorted first. */
  readonly by: ItemColumn;
}

/** The number of rows shown before more are asked for. */
const few = 5;
const many = 200;

const columns: readonly (readonly [ItemColumn, string])[] = [
  ["time", "time"],
  ["exposed", "exposed"],
  ["bytes", "bytes"],
  ["memory", "memory"],
  ["flops", "operations"],
];

interface Sort {
  readonly by: ItemColumn;
  readonly order: "most" | "least";
}

/**
 * Everything that a step computes, sends and holds, equal layers as one row, sorted by any figure.
 */
export function ItemsTable({ compiled, by }: Props) {
  const items = useMemo(() => foldedItems(compiled), [compiled]);
  const [sort, setSort] = useState<Sort>({ by, order: "most" });
  const [isLong, setLong] = useState(false);
  const isNarrow = useScreen() === "phone";
  const isKept = useIsAsked("comm");
  const rows = useMemo(() => sortedItems(items, sort.by, sort.order), [items, sort]);
  if (items.length === 0) return null;
  const present = columns.filter(
    ([name]) => (name !== "bytes" || !isKept) && items.some(({ figures }) => figures[name] !== 0),
  );
  const written = isNarrow ? present.filter(([name]) => name === sort.by) : present;
  return (
    <div className="items" data-testid="items">
      {isNarrow && (
        <Segmented
          label="Figure of the list"
          value={sort.by}
          choices={present}
          onChange={(next) => setSort({ by: next, order: "most" })}
        />
      )}
      <table className="tbl">
        <Head columns={written} sort={sort} onSort={setSort} />
        <tbody>
          {rows.slice(0, isLong ? many : few).map((item) => (
            <tr key={item.key}>
              <Name item={item} />
              {written.map(([name]) => (
                <td className="n" key={name}>
                  {figure(name, item.figures[name])}
                </td>
              ))}
              <td className="n">
                {formatShare(item.figures[sort.by] / wholeOf(compiled, sort.by))}
              </td>
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

interface HeadProps {
  readonly columns: readonly (readonly [ItemColumn, string])[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** A press on a heading sorts by it, the largest first; a second press reverses the order. */
function Head({ columns: written, sort, onSort }: HeadProps) {
  const isMost = sort.order === "most";
  return (
    <thead>
      <tr>
        <th scope="col">layers as one</th>
        {written.map(([name, text]) => {
          const isSorted = name === sort.by;
          return (
            <SortHead
              key={name}
              name={text}
              order={orderOf(isSorted, isMost)}
              isFigures
              onPress={() => onSort({ by: name, order: isSorted && isMost ? "least" : "most" })}
            />
          );
        })}
        <th scope="col" className="n">
          share
        </th>
      </tr>
    </thead>
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

/** What a share refers to: the step, the memory at its peak, all bytes, all operations. */
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
