import type { HTMLAttributes, ReactNode } from "react";
import { keyed } from "../drawing/keyed.ts";
import { TableHead } from "./TableHead.tsx";

interface TableProps {
  /** Column headings: the name's, then one per figure; absent where the rows need none. */
  readonly head?: readonly string[];
  readonly children: ReactNode;
}

/** Table with names at the left and figures with their units at the right. */
export function FiguresTable({ head, children }: TableProps) {
  return (
    <table className="tbl">
      {head !== undefined && <TableHead names={head} figuresFrom={1} />}
      <tbody>{children}</tbody>
    </table>
  );
}

interface RowProps extends HTMLAttributes<HTMLTableRowElement> {
  readonly name: ReactNode;
  /** Full name as a tooltip, where the cell shows a shortened one. */
  readonly hint?: string;
  /** Figures of the row; without any, the name spans all columns. */
  readonly figures?: readonly ReactNode[];
  /** `on`: the figure in effect; `mut`: a figure to compare with. */
  readonly tone?: "on" | "mut";
}

/** One row of a `FiguresTable`. */
export function FiguresRow({ name, hint, figures = [], tone, ...rest }: RowProps) {
  return (
    <tr className={tone} {...rest}>
      <td title={hint} colSpan={figures.length === 0 ? 3 : undefined}>
        {name}
      </td>
      {keyed(figures).map(({ key, item }) => (
        <td className="n" key={key}>
          {item}
        </td>
      ))}
    </tr>
  );
}
