import { X } from "lucide-react";
import { useDeferredValue, useId, useMemo, useState } from "react";
import { IconButton } from "../atoms/IconButton.tsx";
import { orderOf, SortHead } from "../atoms/SortHead.tsx";
import { keyed } from "../drawing/keyed.ts";
import { saveText } from "../export/save-picture.ts";
import { useLateDesk } from "../lesson/lesson-desk.ts";
import { SheetDialog } from "../palette/SheetDialog.tsx";
import { useApp } from "../store-context.tsx";
import { cellsOf, columns, csvOf, type ResultRow, sortedRows } from "./pasted-results.ts";
import "../lesson/lesson.css";
import "./results.css";
import { type Results, useResults } from "./use-results.ts";

/** Results of many students in a table; nothing of it leaves the browser. */
export function ResultsSheet() {
  const openSheet = useApp((state) => state.openSheet);
  const given = useApp((state) => state.results);
  const desk = useLateDesk();
  const [text, setText] = useState(() => (given === "" ? "" : `${given}\n`));
  const results = useResults(useDeferredValue(text), desk);
  const id = useId();
  return (
    <SheetDialog className="results" label="Results">
      <div className="sheet-head">
        <h2>Results</h2>
        <IconButton icon={X} size={18} name="Close" onClick={() => openSheet(undefined)} />
      </div>
      <div className="results-body">
        <label htmlFor={id}>
          Result links, one a line, each with a name before or behind it. Answers and plans are
          worked out anew here; nothing is sent anywhere. A result proves nothing about who did it.
        </label>
        <textarea
          id={id}
          data-first
          className="field mono"
          rows={5}
          spellCheck={false}
          placeholder="Ada, https://…#result=…"
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Outcome results={results} />
      </div>
    </SheetDialog>
  );
}

function Outcome({ results: { rows, left } }: { readonly results: Results }) {
  const faults = rows.filter(({ fault }) => fault !== undefined).length;
  if (rows.length + left === 0) return null;
  const counted = `${rows.length - faults} graded${faults > 0 ? `, ${faults} not` : ""}`;
  return (
    <>
      <div className="lesson-row">
        <span role="status">{left > 0 ? `${counted}, ${left} to go` : counted}</span>
        <button
          type="button"
          className="btn line"
          disabled={left > 0}
          onClick={() => saveText(csvOf(rows), "results.csv")}
        >
          Save as CSV
        </button>
      </div>
      <Table rows={rows} />
    </>
  );
}

/** Columns whose cells are figures. */
const isFigures = (at: number) => at === 0 || (at >= 3 && at <= 8);

function Table({ rows }: { readonly rows: readonly ResultRow[] }) {
  const [sort, setSort] = useState({ by: 0, isDown: false });
  const sorted = useMemo(() => sortedRows(rows, sort.by, sort.isDown), [rows, sort]);
  const press = (by: number) => setSort({ by, isDown: sort.by === by && !sort.isDown });
  return (
    <section className="results-room" aria-label="Table of results">
      <table className="tbl" data-testid="results">
        <thead>
          <tr>
            {columns.map((name, at) => (
              <SortHead
                key={name}
                name={name}
                order={orderOf(sort.by === at, sort.isDown)}
                isFigures={isFigures(at)}
                onPress={() => press(at)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(sorted).map(({ key, item }) => (
            <tr key={key} data-fault={item.fault !== undefined}>
              {cellsOf(item).map((cell, at) => (
                <td key={columns[at]} className={isFigures(at) ? "n" : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
