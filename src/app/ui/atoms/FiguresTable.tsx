import type { HTMLAttributes, ReactNode } from "react";
import { keyed } from "../drawing/keyed.ts";
import { TableHead } from "./TableHead.tsx";

interface TableProps {
  /** Headings: the name's, then one per figure; without them the rows speak for themselves. */
  readonly head?: readonly string[];
  readonly children: ReactNode;
}

/** Names at the left, figures with their units at the right. */
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
  /** The whole name, where what stands there is shorter. */
  readonly hint?: string;
  /** Figures of the row; without any the name has the whole row. */
  readonly figures?: readonly ReactNode[];
  /** `on` for the figure that counts, `mut` for the one to compare with. */
  readonly tone?: "on" | "mut";
}

/** One row of it. */
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
