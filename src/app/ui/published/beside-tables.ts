import { formatSeconds } from "#app/scene/text";
import type { Beside, BesideMeasured } from "#systems/published";
import type { RowOfTable, TableOfRows } from "../atoms/RowsTable.tsx";

/** The most rows of a table; the others are counted. */
const mostRows = 200;

/** The collectives of a compiled program beside those of a plan: by kinds, then one by one. */
export function compiledTables({ kinds, rows, onlyOurs }: Beside): readonly TableOfRows[] {
  return [
    {
      caption: "What XLA inserted",
      head: ["Collective", "XLA", "Bytes", "This plan", "Bytes"],
      rows: kinds.map(({ kind, xla, xlaBytes, ours, ourBytes }) => ({
        cells: [kind, String(xla), bytesText(xlaBytes), String(ours), bytesText(ourBytes)],
      })),
    },
    limited({
      caption: "One by one",
      head: ["Collective", "XLA’s operator", "Bytes", "This plan"],
      rows: [
        ...rows.map((row): RowOfTable => {
          const phase = row.phase === "backward" ? ", backward" : "";
          return rowBeside(row, `${row.name === "" ? "no name" : row.name}${phase}`);
        }),
        ...onlyOurs.map(({ kind, bytes, tensor }): RowOfTable => {
          const cells = [kind, "none", bytesText(bytes), `only in this plan: ${tensor}`] as const;
          return { cells: [...cells], isDifferent: true };
        }),
      ],
    }),
  ];
}

/** A measured step beside the schedule of a plan: by kinds of work, then its collectives. */
export function measuredTables(beside: BesideMeasured): readonly TableOfRows[] {
  const { rows, seconds, modelledSeconds, collectives, onlyOurs } = beside;
  const steps: TableOfRows = {
    caption: "Measured beside modelled, of a step",
    head: ["Work", "Run", "Times", "This plan", "Times", "Difference"],
    rows: [
      {
        cells: [
          "the whole step",
          formatSeconds(seconds),
          "1",
          formatSeconds(modelledSeconds),
          "1",
          "",
        ],
      },
      ...rows.map(({ name, measured, modelled, difference = "" }): RowOfTable => {
        const [run, ours] = [measured, modelled].map((each) => [
          formatSeconds(each.seconds),
          each.count.toLocaleString("en", { maximumFractionDigits: 1 }),
        ]);
        return {
          cells: [name, ...(run ?? []), ...(ours ?? []), difference],
          isDifferent: difference !== "",
        };
      }),
    ],
  };
  if (collectives.length === 0) return [steps];
  const own = onlyOurs.map((name): RowOfTable => {
    return { cells: ["none", "", `only in this plan: ${name}`], isDifferent: true };
  });
  const head = ["Collective", "Bytes", "This plan"];
  const all = [...collectives.map((row) => rowBeside(row)), ...own];
  return [steps, limited({ caption: "Collectives one by one", head, rows: all })];
}

/** A collective of theirs with its counterpart in the plan, or the difference. */
function rowBeside(row: Beside["rows"][number], ...words: readonly string[]): RowOfTable {
  const { kind, bytes, times, ours, difference } = row;
  const [first = "", ...more] = [...new Set(ours)];
  const same = more.length === 0 ? first : `${first} and ${more.length} more`;
  const size = `${bytesText(bytes)}${times === 1 ? "" : ` × ${times}`}`;
  return {
    cells: [kind, ...words, size, difference ?? same],
    isDifferent: difference !== undefined,
  };
}

function limited(table: TableOfRows): TableOfRows {
  const rest = table.rows.length - mostRows;
  if (rest <= 0) return table;
  const caption = `${table.caption}, without the last ${rest}`;
  return { ...table, caption, rows: table.rows.slice(0, mostRows) };
}

function bytesText(bytes: number): string {
  return bytes.toLocaleString("en");
}
