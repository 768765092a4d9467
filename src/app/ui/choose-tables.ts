import type { TensorView } from "#compile";
import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";

/** Table of a tensor in one of its states. */
export interface DrawnTable {
  /** Suffix of its test id, after `table-`. */
  readonly id: string;
  readonly tensor: Tensor;
  readonly layout: Layout;
  /** Boxes that each device holds, if they are not the layout's blocks. */
  readonly held?: TensorView["held"];
  /**
   * Name of the state, such as `at rest` or `as y reads it`; absent if the tensor has one state.
   */
  readonly state?: string;
  /** Attribute (rule) because of which the tensor's values are unverified. */
  readonly unverified?: string;
}

/** Tables that are written in the page, by id. */
export type StandingTables = ReadonlyMap<string, DrawnTable>;

interface Choice {
  readonly standing: StandingTables;
  /** Id of the tensor whose tables are always written. */
  readonly selected: string | undefined;
  /** Most tables that may be written or rewritten in this step. */
  readonly room: number;
}

/**
 * Tables to show next, in the order of `all`: the unchanged ones shown already, those of the
 * selected tensor, and as room allows the outdated ones and then new ones.
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

/**
 * Whether two tables have equal contents; unchanged parts of a plan keep their identity, so
 * references are compared.
 */
export function isSameTable(before: DrawnTable | undefined, after: DrawnTable): boolean {
  const isSame = before?.tensor === after.tensor && before.layout === after.layout;
  const isAlike = before?.unverified === after.unverified && before?.held === after.held;
  return isSame && isAlike && before.state === after.state;
}
