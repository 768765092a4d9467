import { type BoardItem, type BoardModule, operatorsOfItem } from "./board-item.ts";

/** Most rows of one module that are listed without groups. */
const mostSiblings = 40;
/** The approximate number of groups. */
const groups = 25;

/** Rows of one module; if there are too many, counted groups such as `operators 1 to 40`. */
export function counted(items: readonly BoardItem[]): readonly BoardItem[] {
  if (items.length <= mostSiblings) return items;
  const size = Math.max(10, 10 * Math.ceil(items.length / groups / 10));
  const made: BoardItem[] = [];
  let first = 1;
  for (let at = 0; at < items.length; at += size) {
    const members = items.slice(at, at + size);
    const operators = members.flatMap(operatorsOfItem);
    const last = first + members.length - 1;
    made.push(groupOf(members, `${first} to ${last}`, operators));
    first = last + 1;
  }
  return made;
}

function groupOf(
  items: readonly BoardItem[],
  range: string,
  operators: BoardModule["runs"][number]["operators"],
): BoardModule {
  const isPlain = items.every(({ kind }) => kind === "operator");
  const name = `${isPlain ? "operators" : "rows"} ${range}`;
  return {
    ...{ kind: "group", key: `${operators[0] ?? ""} ${range}`, name, shown: 0, isOdd: false },
    runs: [{ path: "", operators }],
    items,
  };
}
