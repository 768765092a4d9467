import {
  isModuleNode,
  type ModuleNode,
  moduleTree,
  type Operator,
  type OperatorId,
  operatorsIn,
  wildcardPath,
} from "#core/ir";
import { blocksOf, stretchLabel } from "../graph/canvas-blocks.ts";
import { rememberedFor } from "../remembered.ts";
import type { BoardFacts } from "./board-facts.ts";
import type { BoardItem, BoardModule } from "./board-item.ts";
import { createLikeness, type LikenessOf } from "./board-likeness.ts";
import { counted } from "./counted-groups.ts";
import { rowOperators } from "./hidden-operators.ts";

/** The rows of a program, nested like the modules of its text. */
export interface BoardTree {
  readonly items: readonly BoardItem[];
  /** Operators that have a row when everything is open. */
  readonly drawn: ReadonlySet<OperatorId>;
}

/** Cached trees of a program by view options and shown runs. */
const treesOf = rememberedFor((_facts: BoardFacts) => new Map<string, BoardTree>());

/**
 * The module tree of a program; `chosen` maps the key of equal modules to the path of the shown
 * run.
 */
export function boardTree(
  facts: BoardFacts,
  chosen: ReadonlyMap<string, string>,
  showsViews: boolean,
): BoardTree {
  const trees = treesOf(facts);
  const key = JSON.stringify([showsViews, ...chosen]);
  const known = trees.get(key);
  if (known !== undefined) return known;
  const drawn = new Set(
    rowOperators(facts.operators, facts.tensors, showsViews).map(({ id }) => id),
  );
  const root = moduleTree(withRuns(facts));
  const builder: Builder = { drawn, chosen, likeness: createLikeness(facts), keys: new Map() };
  const tree = { items: counted(itemsOf(builder, root)), drawn };
  trees.set(key, tree);
  return tree;
}

/** Fewest operators outside modules for which equal runs of them are folded. */
const leastOutside = 12;

/** Treats runs of equal operators outside all modules as modules. */
function withRuns({ compiled, operators }: BoardFacts): readonly Operator[] {
  const outside = operators.filter(({ module }) => module === undefined);
  if (outside.length < leastOutside) return operators;
  const labels = new Map<OperatorId, string>();
  for (const { runs } of blocksOf(compiled)) {
    for (const run of runs) for (const id of run.operators) labels.set(id, run.label);
  }
  return operators.map((operator) => {
    const label = operator.module === undefined ? labels.get(operator.id) : undefined;
    return label === undefined ? operator : inModule(operator, label.replaceAll(".", "·"));
  });
}

/**
 * Operators with the module of their run; cached, so that the objects stay identical across plans.
 */
const inRuns = rememberedFor((_operator: Operator) => new Map<string, Operator>());

function inModule(operator: Operator, module: string): Operator {
  const known = inRuns(operator);
  const made = known.get(module) ?? { ...operator, module };
  known.set(module, made);
  return made;
}

interface Builder {
  readonly drawn: ReadonlySet<OperatorId>;
  readonly chosen: ReadonlyMap<string, string>;
  readonly likeness: LikenessOf;
  readonly keys: Map<string, number>;
}

function itemsOf(builder: Builder, node: ModuleNode): readonly BoardItem[] {
  const items: BoardItem[] = [];
  const nodes = node.items;
  for (let at = 0; at < nodes.length; ) {
    const item = nodes[at];
    if (item === undefined) break;
    if (!isModuleNode(item)) {
      if (builder.drawn.has(item.id)) items.push({ kind: "operator", operator: item });
      at += 1;
    } else if (rowsIn(builder, item) < 2) {
      items.push(...itemsOf(builder, item));
      at += 1;
    } else {
      const equal = equalFrom(builder, nodes, at);
      items.push(moduleOf(builder, equal));
      at += equal.length;
    }
  }
  return markOdd(items);
}

function rowsIn({ drawn }: Builder, node: ModuleNode): number {
  return operatorsIn(node).filter(({ id }) => drawn.has(id)).length;
}

/** A module and the equal ones right after it. */
function equalFrom(
  { likeness }: Builder,
  nodes: ModuleNode["items"],
  at: number,
): readonly [ModuleNode, ...ModuleNode[]] {
  const first = nodes[at];
  if (first === undefined || !isModuleNode(first)) throw new Error("no module begins here");
  const equal: [ModuleNode, ...ModuleNode[]] = [first];
  const series = seriesOf(first.name);
  if (series === undefined) return equal;
  const look = likeness(first);
  for (const next of nodes.slice(at + 1)) {
    if (!isModuleNode(next) || seriesOf(next.name) !== series || likeness(next) !== look) break;
    equal.push(next);
  }
  return equal;
}

/**
 * `blocks[*]` for `blocks[3]`; `…` for all runs of unnamed operators; `undefined` for a name
 * without an index.
 */
function seriesOf(name: string): string | undefined {
  if (name.includes("…")) return "…";
  const any = wildcardPath(name);
  return any === name ? undefined : any;
}

function moduleOf(builder: Builder, equal: readonly [ModuleNode, ...ModuleNode[]]): BoardModule {
  const [first] = equal;
  const key = keyOf(builder, equal);
  const wanted = builder.chosen.get(key);
  const shown = Math.max(
    0,
    equal.findIndex(({ path }) => path === wanted),
  );
  return {
    ...{ kind: "module", key, shown, isOdd: false, name: nameOf(equal) },
    runs: equal.map((run) => ({
      path: run.path,
      operators: operatorsIn(run).map(({ id }) => id),
    })),
    items: counted(itemsOf(builder, equal[shown] ?? first)),
  };
}

/** Key of equal modules; it stays the same when a layer joins or leaves the series. */
function keyOf({ keys }: Builder, equal: readonly [ModuleNode, ...ModuleNode[]]): string {
  const [{ key, path }] = equal;
  if (equal.length === 1) return key;
  const any = path.includes("…") ? path : wildcardPath(path);
  const before = keys.get(any) ?? 0;
  keys.set(any, before + 1);
  return before === 0 ? any : `${any}#${before + 1}`;
}

function nameOf(equal: readonly [ModuleNode, ...ModuleNode[]]): string {
  const [{ name }] = equal;
  if (equal.length === 1) return name;
  return name.includes("…")
    ? stretchLabel(equal.map((run) => ({ label: run.name })))
    : name.replace(/\[\d+\]$/u, "");
}

/** Marks the single items whose series also has merged modules. */
function markOdd(items: readonly BoardItem[]): readonly BoardItem[] {
  const stacks = new Set(
    items.flatMap((item) =>
      item.kind !== "operator" && item.runs.length > 1 ? [seriesIn(item)] : [],
    ),
  );
  return items.map((item) => {
    const isOdd = item.kind !== "operator" && item.runs.length === 1 && stacks.has(seriesIn(item));
    return isOdd ? { ...item, isOdd } : item;
  });
}

function seriesIn({ runs }: BoardModule): string | undefined {
  return seriesOf(runs[0]?.path.split(".").at(-1) ?? "");
}
