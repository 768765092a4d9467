import type { Definition, Expr } from "#core/ir/body";
import type { AdapterTraits } from "./launch.ts";
import type { Counter, OutputSpace } from "./output-space.ts";
import type { Scope } from "./scope.ts";

/** Cells that one thread makes: some along one counter times some along another. */
export interface Tile {
  readonly rows: { readonly counter: number; readonly count: number } | undefined;
  readonly columns: { readonly counter: number; readonly count: number } | undefined;
  /** Threads side by side along the columns, each with every `lanes`-th column. */
  readonly lanes: number;
}

/**
 * The operations from which a tile of rows × columns saves more than its compilation takes;
 * measured on SwiftShader. Larger tiles than 8 × 8 need more registers than a GPU has.
 */
const tileShapes = [
  { work: 2 ** 18, shape: [4, 4], isForCpu: false },
  { work: 2 ** 27, shape: [8, 8], isForCpu: false },
  { work: 2 ** 29, shape: [16, 8], isForCpu: true },
] as const;

function shapeFor(work: number, { isCpu }: AdapterTraits) {
  return tileShapes.findLast((each) => work >= each.work && (isCpu || !each.isForCpu))?.shape;
}

/** Threads side by side along the columns: no fewer than a vector of the narrowest device. */
const [fewestLanes, mostLanes] = [4, 16];

/**
 * The tile of a definition: cells along a counter on which an operand of the sum does not depend
 * share the reads of that operand.
 */
export function tileOf(
  definition: Definition,
  space: OutputSpace,
  scope: Pick<Scope, "call" | "tables">,
  { work, traits }: { readonly work: number; readonly traits: AdapterTraits },
): Tile | undefined {
  const shape = shapeFor(work, traits);
  if (definition.over.length === 0 || shape === undefined) return undefined;
  const loops = new Set(definition.over.map(({ axis }) => axis));
  const reads = readsOf(definition.value, scope).filter((names) =>
    [...names].some((name) => loops.has(name)),
  );
  const [most, wide] = shape;
  const last = space.counters.length - 1;
  const names = space.counters.map((counter) => namesOf(counter, space));
  const isShared = (counter: number) =>
    reads.some((read) => ![...(names[counter] ?? [])].some((name) => read.has(name)));
  const lengthAt = (counter: number) => space.counters[counter]?.length ?? 0;
  const width = Math.floor(lengthAt(last) / wide);
  const lanes = Math.min(mostLanes, Math.max(fewestLanes, width));
  const columns = Math.min(wide, Math.floor(lengthAt(last) / lanes));
  const rows = space.counters
    .map((_, counter) => counter)
    .filter((counter) => counter !== last && lengthAt(counter) > 1 && isShared(counter))
    .reduce((best, counter) => (lengthAt(counter) > lengthAt(best) ? counter : best), -1);
  const hasColumns = columns > 1 && isShared(last);
  if (rows < 0 && !hasColumns) return undefined;
  return {
    rows: rows < 0 ? undefined : { counter: rows, count: Math.min(most, lengthAt(rows)) },
    columns: hasColumns ? { counter: last, count: columns } : undefined,
    lanes,
  };
}

/** The names of the counter and of all indices derived from it. */
function namesOf({ name }: Counter, { derived }: OutputSpace): ReadonlySet<string> {
  const names = new Set([name]);
  for (const each of derived) {
    const from = each.kind === "digit" ? [each.of] : each.parts.map(({ of }) => of);
    if (from.some((of) => names.has(of))) names.add(each.name);
  }
  return names;
}

/** Indices that each read of an operand or table depends on. */
function readsOf(expr: Expr, scope: Pick<Scope, "call" | "tables">): readonly Set<string>[] {
  switch (expr.kind) {
    case "number":
    case "index":
      return [];
    case "read": {
      if (expr.at !== undefined)
        return [new Set(expr.at.flatMap((each) => indicesOf(each, scope)))];
      const dims = scope.call.inputs[expr.operand]?.dims ?? [];
      return [new Set(dims.flatMap(({ identifiers }) => identifiers))];
    }
    case "table": {
      const known = scope.tables.get(expr.name);
      if (known === undefined || "text" in known) return [];
      return "buffer" in known
        ? [new Set(known.axes.map(({ axis }) => axis))]
        : readsOf(known, scope);
    }
    case "apply":
      return expr.args.flatMap((arg) => readsOf(arg, scope));
  }
}

function indicesOf(expr: Expr, scope: Pick<Scope, "call" | "tables">): readonly string[] {
  if (expr.kind === "index") return [expr.axis];
  if (expr.kind === "apply") return expr.args.flatMap((arg) => indicesOf(arg, scope));
  return readsOf(expr, scope).flatMap((names) => [...names]);
}
