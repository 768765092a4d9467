import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { Value } from "#core/program";

/** A tensor as it is drawn: what its table tells. */
export interface DrawnTable {
  readonly tensor: Tensor;
  readonly layout: Layout;
  /** What the devices hold, where that is not the layout's blocks. */
  readonly held?: Value["held"];
  /** The attribute by which it is as the text says. */
  readonly asGiven?: string;
}

/** Tables that stand in the page, by the ids of their tensors. */
export type StandingTables = ReadonlyMap<string, DrawnTable>;

interface Choice {
  readonly standing: StandingTables;
  /** The tensor whose table is always there. */
  readonly selected: string | undefined;
  /** So many tables may be written anew. */
  readonly room: number;
}

/**
 * The tables to have next, in the order of `all`: those that stand and say the same, then of the
 * others first the selected one, then those that stand with what no longer holds.
 */
export function chooseTables(
  all: readonly DrawnTable[],
  { standing, selected, room }: Choice,
): readonly DrawnTable[] {
  const isKept = (each: DrawnTable) => isSameTable(standing.get(each.tensor.id), each);
  const chosen = new Set(all.filter(isKept));
  const limit = chosen.size + room;
  const add = (wanted: (each: DrawnTable) => boolean) => {
    for (const each of all) {
      if (chosen.size >= limit) return;
      if (wanted(each)) chosen.add(each);
    }
  };
  const first = all.find(({ tensor }) => tensor.id === selected);
  if (first !== undefined) chosen.add(first);
  add(({ tensor }) => standing.has(tensor.id));
  add(() => true);
  return all.filter((each) => chosen.has(each));
}

/** Whether two tables read the same: what did not change is drawn of the very same objects. */
export function isSameTable(before: DrawnTable | undefined, after: DrawnTable): boolean {
  const isSame = before?.tensor === after.tensor && before.layout === after.layout;
  return isSame && before.held === after.held && before.asGiven === after.asGiven;
}
