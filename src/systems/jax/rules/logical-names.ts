import type { Graph } from "#core/ir";
import { type DimClasses, dimClasses, ownName } from "./dim-classes.ts";
import type { Held, PlanRests } from "./plan-rests.ts";

/** Names of dims, and the rules that give each its mesh axes. */
export interface LogicalNames {
  /** Names of logical axes, each with the mesh axes that it lies over, outermost first. */
  readonly rules: readonly (readonly [name: string, axes: readonly string[]])[];
  /**
   * For each dim, the name of its logical axis; undefined for a dim that is whole and has no name.
   */
  namesOf(held: Held): readonly (string | undefined)[];
  /** Notes on dims that the plan cuts in different ways, so that one name cannot express them. */
  readonly notes: readonly string[];
}

/**
 * Names that give every tensor exactly its layout. A rule is for all that has a name, so where dims of
 * one meaning lie differently, the most frequent cut has the plain name, another cut a name of its own,
 * and a dim that is whole there no name. Parameters and activations have names of their own.
 */
export function logicalNames(rests: PlanRests, graph: Graph): LogicalNames {
  const classes = dimClasses(graph, rests.modules);
  const used = new Set<string>();
  const weights = namesFor(rests.parameters, classes, { prefix: "", used });
  const others = namesFor(rests.activations, classes, { prefix: "activation_", used });
  const ofWeights = new Set(rests.parameters.map(({ tensor }) => tensor.id));
  return {
    rules: [...weights.rules, ...others.rules],
    namesOf: (held) => (ofWeights.has(held.tensor.id) ? weights : others).namesOf(held),
    notes: [...weights.notes, ...others.notes],
  };
}

/** The ways in which dims of one meaning lie: by axes, the tensors. */
type Ways = ReadonlyMap<string, { readonly axes: readonly string[]; readonly where: Set<string> }>;

/** What stands before all names, and which are taken. */
interface NamesBeside {
  readonly prefix: string;
  readonly used: Set<string>;
}

function namesFor(
  all: readonly Held[],
  classes: DimClasses,
  { prefix, used }: NamesBeside,
): LogicalNames {
  const found = new Map<string, Map<string, { axes: readonly string[]; where: Set<string> }>>();
  for (const { tensor, name, axes } of all)
    for (const [dim, own] of axes.entries()) {
      const dimClass = classes.classOf(tensor.id, dim);
      const ways = found.get(dimClass) ?? new Map();
      const way = ways.get(own.join()) ?? { axes: own, where: new Set<string>() };
      way.where.add(name.replace(/\.\d+(?=\.)/gu, ".*"));
      found.set(dimClass, ways.set(own.join(), way));
    }
  const names = new Map<string, ReadonlyMap<string, string>>();
  const rules: (readonly [string, readonly string[]])[] = [];
  const notes: string[] = [];
  for (const [dimClass, ways] of found) {
    const own = wordsOf(`${prefix}${classes.nameOf(dimClass)}`, ways, used);
    names.set(dimClass, own);
    for (const [key, name] of own) rules.push([name, ways.get(key)?.axes ?? []]);
    notes.push(...noteOn(ways, own));
  }
  return { rules, notes, namesOf: (held) => namesIn(held, classes, names) };
}

/** A name for each way in which a dim is cut; without cuts one name. */
function wordsOf(base: string, ways: Ways, used: Set<string>): ReadonlyMap<string, string> {
  const cut = [...ways].filter(([, { axes }]) => axes.length > 0);
  const [most] = cut.toSorted(([, a], [, b]) => b.where.size - a.where.size);
  if (most === undefined) return new Map([["", ownName(base, used)]]);
  const plain = ownName(base, used);
  return new Map(
    cut.map(([key, { axes }]) => [
      key,
      key === most[0] ? plain : ownName(`${base}_${axes.join("_")}`, used),
    ]),
  );
}

/** The names of a tensor's dims, which must differ: of two whole dims the second has none. */
function namesIn(
  { tensor, axes }: Held,
  classes: DimClasses,
  names: ReadonlyMap<string, ReadonlyMap<string, string>>,
): readonly (string | undefined)[] {
  const used = new Set<string>();
  return axes.map((own, dim) => {
    const name = names.get(classes.classOf(tensor.id, dim))?.get(own.join());
    if (name === undefined || used.has(name)) return undefined;
    used.add(name);
    return name;
  });
}

function noteOn(ways: Ways, names: ReadonlyMap<string, string>): readonly string[] {
  const [plain] = names.values();
  if (ways.size < 2 || plain === undefined) return [];
  const said = [...ways].map(([key, { axes, where }]) => {
    const [first, second, ...others] = where;
    const more = others.length > 0 ? ` and ${others.length} others` : "";
    const listed = `${[first, second].filter((each) => each !== undefined).join(", ")}${more}`;
    const name = names.get(key);
    return `${axes.length === 0 ? "whole" : `over ${axes.join(" and ")}`} in ${listed} (${name ?? "None"})`;
  });
  return [`One name cannot say how the dim ${plain} lies: ${said.join(", ")}.`];
}
