import { keyed } from "../drawing/keyed.ts";
import { TableHead } from "./TableHead.tsx";

/** Table of plain texts. */
export interface TableOfRows {
  readonly caption: string;
  /** Column headings, one per cell of a row. */
  readonly head: readonly string[];
  readonly rows: readonly RowOfTable[];
}

/** Row of a `TableOfRows`; the first cell is its heading. */
export interface RowOfTable {
  readonly cells: readonly [name: string, ...others: string[]];
  /** Whether the two compared values of the row differ. */
  readonly isDifferent?: boolean;
}

/** Table of plain texts, without interaction and without figure columns. */
export function RowsTable({ table: { caption, head, rows } }: { readonly table: TableOfRows }) {
  return (
    <table>
      <caption>{caption}</caption>
      <TableHead names={head} />
      <tbody>
        {keyed(rows).map(({ key, item: { cells, isDifferent } }) => {
          const [name, ...others] = cells;
          return (
            <tr key={key} data-different={isDifferent}>
              <th scope="row">{name}</th>
              {keyed(others).map(({ key: at, item }) => (
                <td key={at}>{item}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
