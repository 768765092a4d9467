import { keyed } from "../drawing/keyed.ts";
import { TableHead } from "./TableHead.tsx";

/** A table of words as data. */
export interface TableOfRows {
  readonly caption: string;
  /** Headings, one for each cell of a row. */
  readonly head: readonly string[];
  readonly rows: readonly RowOfTable[];
}

/** A row of it, whose first cell names it. */
export interface RowOfTable {
  readonly cells: readonly [name: string, ...others: string[]];
  /** Whether the two things that it holds side by side differ. */
  readonly isDifferent?: boolean;
}

/** Draws it; no figure stands apart, and nothing in it is pressed. */
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
