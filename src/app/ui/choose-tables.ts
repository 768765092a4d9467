import type { TensorView } from "#compile";
import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";

/** A tensor in one of its states: what its table tells. */
export interface DrawnTable {
  /** The part after `table-` in its test id. */
  readonly id: string;
  readonly tensor: Tensor;
  readonly layout: Layout;
  /** The boxes of each device, if they are not the layout's blocks. */
  readonly held?: TensorView["held"];
  /** `at rest`, `as y reads it`; absent where the tensor has one state. */
  readonly state?: string;
  /** The attribute because of which its values are unverified. */
  readonly unverified?: string;
}

/** Tables that stand in the page, by their ids. */
export type StandingTables = ReadonlyMap<string, DrawnTable>;

interface Choice {
  readonly standing: StandingTables;
  /** The tensor whose tables are always there. */
  readonly selected: string | undefined;
  /** The most tables that may be written anew. */
  readonly room: number;
}

/**
 * The tables to show next, in the order of `all`: those shown already that are unchanged, the
 * selected one, and as room allows those shown with outdated contents, then further ones.
 */
export function chooseTables(
  all: readonly DrawnTable[],
  { standing, selected, room }: Choice,
): readonly DrawnTable[] {
  const isKept = (each: DrawnTable) => isSameTable(standing.get(each.id), each);
  const chosen = new Set(all.filter(isKept));
  const limit = chosen.size + room;
  const add = (wanted: (each: DrawnTable) => boolean) => {
    for (const each of all) {
      if (chosen.size >= limit) return;
      if (wanted(each)) chosen.add(each);
    }
  };
  for (const each of all) if (each.tensor.id === selected) chosen.add(each);
  add(({ id }) => standing.has(id));
  add(() => true);
  return all.filter((each) => chosen.has(each));
}

/** Whether two tables read the same: what did not change is drawn of the very same objects. */
export function isSameTable(before: DrawnTable | undefined, after: DrawnTable): boolean {
  const isSame = before?.tensor === after.tensor && before.layout === after.layout;
  const isAlike = before?.unverified === after.unverified && before?.held === after.held;
  return isSame && isAlike && before.state === after.state;
}
