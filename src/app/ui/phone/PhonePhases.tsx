import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { forwardOnly, type ListRow, listOf } from "#app/scene/graph";
import type { Compiled } from "#compile";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";
import { PhoneRow } from "./PhoneRow.tsx";

/** The rows of training, folded at first: gradients and their updates. */
export function PhonePhases({ compiled }: { readonly compiled: Compiled }) {
  const isForwardOnly = useApp((state) => state.openRuns.has(forwardOnly));
  const [isOpen, open] = useState(false);
  const count = compiled.program.graph.operators.length - compiled.graph.operators.length;
  if (isForwardOnly || count === 0) return null;
  return (
    <>
      <button
        type="button"
        className="row1 row-block"
        aria-expanded={isOpen}
        onClick={() => open(!isOpen)}
      >
        <Icon icon={isOpen ? ChevronDown : ChevronRight} size={18} />
        <span className="module-words">
          <b>Backward and update</b>
          <span>{count === 1 ? "1 operator" : `${count} operators`}</span>
        </span>
      </button>
      {isOpen && <Phases compiled={compiled} />}
    </>
  );
}

function Phases({ compiled }: { readonly compiled: Compiled }) {
  const openRuns = useApp((state) => state.openRuns);
  const rows = useMemo(() => laterRows(listOf(compiled, openRuns)), [compiled, openRuns]);
  return rows.map((row) => <PhoneRow key={row.id} row={row} compiled={compiled} />);
}

/** The rows from the first heading on; the tree holds the rows before it. */
function laterRows(rows: readonly ListRow[]): readonly ListRow[] {
  const first = rows.findIndex(({ kind }) => kind === "heading");
  return first < 0 ? [] : rows.slice(first);
}
