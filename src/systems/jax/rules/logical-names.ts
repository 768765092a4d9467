import type { Graph } from "#core/ir";
import { type DimClasses, dimClasses, ownName } from "./dim-classes.ts";
import type { Held, PlanRests } from "./plan-rests.ts";

/** Names of dims, and the rules that give each its mesh axes. */
export interface LogicalNames {
  /** Logical axis names, each with its mesh axes, outermost first. */
  readonly rules: readonly (readonly [name: string, axes: readonly string[]])[];
  /** Logical axis name of each dim; `undefined` for a whole dim without a name. */
  namesOf(held: Held): readonly (string | undefined)[];
  /** Notes on dims that the plan cuts in several ways, which one name cannot express. */
  readonly notes: readonly string[];
}

/**
 * Names that give every tensor exactly its layout. A rule holds for every dim with its name. So if
 * dims of one meaning are cut differently, the most frequent cut has the plain name, other cuts get
 * names of their own, and a whole dim gets none. Parameters and activations have separate names.
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

/** The cuts of dims of one meaning, by axes, with the tensors that have each. */
type Ways = ReadonlyMap<string, { readonly axes: readonly string[]; readonly where: Set<string> }>;

/** Prefix of all names, and names already taken. */
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

/** A name per cut of a dim; one name when nothing is cut. */
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

/** Names of a tensor's dims, which must differ: the second of two whole dims gets none. */
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
