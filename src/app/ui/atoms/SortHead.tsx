import { ArrowDown, ArrowUp } from "lucide-react";
import { Icon } from "./Icon.tsx";

interface Props {
  readonly name: string;
  /** How the rows are sorted by this column; absent where they are not. */
  readonly order: "ascending" | "descending" | undefined;
  /** Figures stand at the right. */
  readonly isFigures?: boolean;
  readonly onPress: () => void;
}

/** A column's heading; a press sorts the rows by it. */
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

/** The order of a column, of rows that are sorted by one. */
export function orderOf(isSorted: boolean, isDown: boolean): Props["order"] {
  if (!isSorted) return undefined;
  return isDown ? "descending" : "ascending";
}
