import { ArrowDown, ArrowUp } from "lucide-react";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly name: string;
  /** Sort order by this column; `undefined` if another column sorts the rows. */
  readonly order: "ascending" | "descending" | undefined;
  /** Whether the column holds figures, which are aligned at the right. */
  readonly isFigures?: boolean;
  readonly onPress: () => void;
}

/** Column heading; a press sorts the rows by the column. */
export function SortHead({ name, order, isFigures = false, onPress }: Props) {
  return (
    <th scope="col" className={isFigures ? "n" : undefined} aria-sort={order ?? "none"}>
      <button type="button" className="sort" onClick={onPress}>
        {name}
        {order !== undefined && (
          <Icon icon={order === "ascending" ? ArrowUp : ArrowDown} size={12} />
        )}
      </button>
    </th>
  );
}

/** Sort order for a column's heading. */
export function orderOf(isSorted: boolean, isDown: boolean): Props["order"] {
  if (!isSorted) return undefined;
  return isDown ? "descending" : "ascending";
}
