import type { OperatorId, TensorId } from "#core/ir";
import type { BoardFacts } from "./board-facts.ts";
import type { BoardModule } from "./board-item.ts";
import type { BoardRows } from "./board-rows.ts";
import type { BoardTree } from "./board-tree.ts";

/** A value that flows from one row to rows below it. */
export interface RowWire {
  readonly from: number;
  /** Rows that read the value, from top to bottom. */
  readonly to: readonly number[];
  /** Lane in which the line runs, counted from the cards; `undefined` for a line straight down. */
  readonly lane: number | undefined;
}

/** The wires between rows, and the number of lanes that they need side by side. */
export function boardWires(
  facts: BoardFacts,
  tree: BoardTree,
  placed: BoardRows,
): { readonly wires: readonly RowWire[]; readonly lanes: number } {
  const edges = edgesBetween(facts, tree, placed);
  const straight: RowWire[] = [];
  const aside: { from: number; to: number[] }[] = [];
  for (const [from, readers] of [...edges].sort(([a], [b]) => a - b)) {
    const to = [...readers].sort((a, b) => a - b);
    if (to[0] === from + 1) straight.push({ from, to: [from + 1], lane: undefined });
    const far = to.filter((row) => row > from + 1);
    if (far.length > 0) aside.push({ from, to: far });
  }
  const { placedWires, lanes } = inLanes(aside);
  return { wires: [...straight, ...placedWires], lanes };
}

/** Assigns lanes: overlapping lines get different lanes; the shortest are nearest to the cards. */
function inLanes(aside: readonly { readonly from: number; readonly to: readonly number[] }[]) {
  const busy: { first: number; last: number }[][] = [];
  const byLength = aside.toSorted((a, b) => lengthOf(a) - lengthOf(b) || a.from - b.from);
  const placedWires = byLength.map(({ from, to }): RowWire => {
    const last = to.at(-1) ?? from;
    const free = busy.findIndex((others) =>
      others.every((other) => other.last <= from || other.first >= last),
    );
    const lane = free < 0 ? busy.length : free;
    busy[lane] = [...(busy[lane] ?? []), { first: from, last }];
    return { from, to, lane };
  });
  return { placedWires, lanes: busy.length };
}

function lengthOf({ from, to }: { readonly from: number; readonly to: readonly number[] }) {
  return (to.at(-1) ?? from) - from;
}

function edgesBetween(
  facts: BoardFacts,
  tree: BoardTree,
  { rowOf, inputRow }: BoardRows,
): ReadonlyMap<number, ReadonlySet<number>> {
  const sourceOf = createSources(facts, tree, { rowOf, inputRow });
  const repeated = laterRuns(tree);
  const edges = new Map<number, Set<number>>();
  for (const { id, inputs } of facts.operators) {
    if (repeated.has(id)) continue;
    const isDrawn = tree.drawn.has(id);
    const to = rowOf.get(id);
    if (!isDrawn || to === undefined) continue;
    for (const { tensor } of inputs) {
      for (const from of sourceOf(tensor)) {
        if (from >= to) continue;
        const readers = edges.get(from) ?? new Set();
        edges.set(from, readers.add(to));
      }
    }
  }
  return edges;
}

/** The rows from which a tensor comes, traced through hidden operators. */
function createSources(
  { tensors, byId }: BoardFacts,
  { drawn }: BoardTree,
  { rowOf, inputRow }: Pick<BoardRows, "rowOf" | "inputRow">,
): (tensor: TensorId) => ReadonlySet<number> {
  const known = new Map<TensorId, ReadonlySet<number>>();
  const none: ReadonlySet<number> = new Set();
  const find = (id: TensorId): ReadonlySet<number> => {
    const before = known.get(id);
    if (before !== undefined) return before;
    known.set(id, none);
    const producer = tensors.get(id)?.producer;
    const row = producer === undefined ? inputRow.get(id) : rowOf.get(producer);
    const operator = producer === undefined ? undefined : byId.get(producer);
    const isHidden = producer !== undefined && !drawn.has(producer);
    const found = isHidden
      ? new Set((operator?.inputs ?? []).flatMap(({ tensor }) => [...find(tensor)]))
      : new Set(row === undefined ? [] : [row]);
    known.set(id, found);
    return found;
  };
  return find;
}

/** Operators of equal modules after the first: the first module's wiring represents them all. */
function laterRuns({ items }: BoardTree): ReadonlySet<OperatorId> {
  const found = new Set<OperatorId>();
  const visit = (all: BoardTree["items"]) => {
    for (const item of all) if (item.kind !== "operator") visitModule(item);
  };
  const visitModule = ({ runs, items: inner, shown }: BoardModule) => {
    for (const run of runs.slice(1)) for (const id of run.operators) found.add(id);
    if (shown === 0) visit(inner);
  };
  visit(items);
  return found;
}
