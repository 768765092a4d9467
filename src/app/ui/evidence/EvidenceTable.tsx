import { useMemo, useState } from "react";
import type { EvidenceRow } from "#app/evidence";
import { formatBytes, formatSeconds } from "#app/scene/text";
import { orderOf, SortHead } from "../atoms/SortHead.tsx";
import { keyed } from "../drawing/keyed.ts";
import { EvidenceDetails } from "./EvidenceDetails.tsx";

interface Props {
  readonly rows: readonly EvidenceRow[];
  readonly lit: EvidenceRow | undefined;
  readonly onLight: (row: EvidenceRow | undefined) => void;
}

type Column = "name" | "measured" | "modelled" | "ratio";

const columns: readonly (readonly [Column, string])[] = [
  ["name", "what ran"],
  ["measured", "measured"],
  ["modelled", "model"],
  ["ratio", "model ÷ measured"],
];

/** The rows of a group; a press on a heading sorts, a press on a name opens the row. */
export function EvidenceTable({ rows, lit, onLight }: Props) {
  const [sort, setSort] = useState<{ by: Column; isDown: boolean }>({ by: "ratio", isDown: true });
  const [opened, setOpened] = useState<EvidenceRow>();
  const sorted = useMemo(() => sortedBy(rows, sort.by, sort.isDown), [rows, sort]);
  const press = (by: Column) => setSort({ by, isDown: sort.by === by ? !sort.isDown : true });
  return (
    <table className="tbl evidence-rows" data-testid="evidence-rows">
      <thead>
        <tr>
          {columns.map(([column, text]) => (
            <SortHead
              key={column}
              name={text}
              order={orderOf(sort.by === column, sort.isDown)}
              isFigures={column !== "name"}
              onPress={() => press(column)}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {keyed(sorted).map(({ key, item }) => (
          <Row
            key={key}
            row={item}
            isLit={item === lit}
            isOpen={item === opened}
            onLight={onLight}
            onPress={() => setOpened(item === opened ? undefined : item)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly row: EvidenceRow;
  readonly isLit: boolean;
  readonly isOpen: boolean;
  readonly onLight: (row: EvidenceRow | undefined) => void;
  readonly onPress: () => void;
}

function Row({ row, isLit, isOpen, onLight, onPress }: RowProps) {
  const format = row.quantity === "seconds" ? formatSeconds : formatBytes;
  return (
    <>
      <tr
        className={isLit ? "on" : undefined}
        onPointerEnter={() => onLight(row)}
        onPointerLeave={() => onLight(undefined)}
      >
        <td>
          <button type="button" className="part" aria-expanded={isOpen} onClick={onPress}>
            {row.name}
          </button>
        </td>
        <td className="n">{format(row.measured)}</td>
        <td className="n">{format(row.modelled)}</td>
        <td className="n">{ratioOf(row)}</td>
      </tr>
      {isOpen && (
        <tr className="opened">
          <td colSpan={4}>
            <EvidenceDetails row={row} />
          </td>
        </tr>
      )}
    </>
  );
}

function ratioOf({ measured, modelled }: EvidenceRow): string {
  const ratio = modelled / measured;
  if (Number.isNaN(ratio)) return "unknown";
  return ratio < 10 ? ratio.toFixed(2) : ratio.toPrecision(3);
}

/** Orders by ratio: the row farthest off first, above or below; rows without a price before all. */
function sortedBy(rows: readonly EvidenceRow[], by: Column, isDown: boolean) {
  const distance = ({ measured, modelled }: EvidenceRow) => {
    const off = Math.abs(Math.log(modelled / measured));
    return Number.isNaN(off) ? Number.POSITIVE_INFINITY : off;
  };
  const number = (value: number) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value);
  const least = (a: EvidenceRow, b: EvidenceRow) => {
    if (by === "name") return b.name.localeCompare(a.name, "en", { numeric: true });
    if (by === "ratio") return compared(distance(a), distance(b));
    return compared(number(a[by]), number(b[by]));
  };
  return rows.toSorted((a, b) => (isDown ? least(b, a) : least(a, b)));
}

/** Compares by < and not by a difference, since two infinite numbers have none. */
function compared(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
