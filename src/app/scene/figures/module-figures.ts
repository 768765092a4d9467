import type { Compiled } from "#compile";
import { modulePathParts, type OperatorId, wildcardPath } from "#core/ir";
import type { FlatStep, ValueId } from "#core/program";
import { rememberedFor } from "../remembered.ts";
import { labelsOf } from "../row-labels.ts";
import { stepAmounts } from "./step-amounts.ts";
import { ownersOf } from "./step-owners.ts";

/** The quantities that are summed by module. */
export type ModuleMetric = "time" | "bytes" | "memory";

/**
 * The kinds of parts of a figure: a pass, memory held, exposed communication, or waiting for the
 * host.
 */
export type FigureKind = "forward" | "backward" | "update" | "exposed" | "held" | "waiting";

/** A figure by its parts, in the order of `figureKinds`. */
export type Figure = Readonly<Partial<Record<FigureKind, number>>>;

/** The parts of a figure in the order in which they are drawn. */
export const figureKinds: readonly FigureKind[] = [
  ...(["forward", "backward", "update", "held", "exposed", "waiting"] as const),
];

/** A module with all its content; equal layers are merged. */
export interface ModuleFigures {
  /**
   * Path such as `blocks[*].attn`, followed by `:` and the operator's name for an operator that is
   * no module.
   */
  readonly key: string;
  /** Last part of the path: `attn`, `blocks`. */
  readonly name: string;
  /** The number of equal modules: 24 layers. */
  readonly count: number;
  readonly figures: Readonly<Record<ModuleMetric, Figure>>;
  /** The operators of the text inside the module. */
  readonly operators: readonly OperatorId[];
  /** Submodules in program order. */
  readonly children: readonly ModuleFigures[];
}

/** The sum of a figure's parts. */
export function figureTotal(figure: Figure): number {
  return figureKinds.reduce((sum, kind) => sum + (figure[kind] ?? 0), 0);
}

/**
 * Time, bytes and memory by module. The root's figures are those of the whole step: modelled
 * seconds, bytes that the busiest device receives, and peak memory.
 */
export const moduleFigures = rememberedFor((compiled: Compiled): ModuleFigures => {
  const root = open("", "step");
  const placeOf = placing(compiled, root);
  for (const { step, computed, exposed, bytes } of stepAmounts(compiled)) {
    const leaf = placeOf.step(step);
    const kind = passOf(step);
    add(leaf, "time", kind, computed);
    add(leaf, "time", "exposed", exposed);
    add(leaf, "bytes", kind, bytes);
  }
  for (const { value, bytes } of compiled.memory.alive) {
    const leaf = placeOf.value(value);
    add(leaf, "memory", "held", bytes);
  }
  const { bubble = 0 } = compiled.schedule ?? {};
  if (bubble > 0) add(child(root, ":waiting", "waits for launches", ""), "time", "waiting", bubble);
  return closed(root);
});

interface Open {
  readonly key: string;
  readonly name: string;
  readonly paths: Set<string>;
  readonly operators: Set<OperatorId>;
  readonly figures: Record<ModuleMetric, Partial<Record<FigureKind, number>>>;
  readonly children: Map<string, Open>;
}

function open(key: string, name: string): Open {
  return {
    ...{ key, name, paths: new Set(), operators: new Set(), children: new Map() },
    figures: { time: {}, bytes: {}, memory: {} },
  };
}

function child(parent: Open, key: string, name: string, path: string): Open {
  const found = parent.children.get(key) ?? open(key, name);
  parent.children.set(key, found);
  found.paths.add(path);
  return found;
}

function add(leaf: Open, metric: ModuleMetric, kind: FigureKind, amount: number): void {
  if (amount === 0) return;
  const figure = leaf.figures[metric];
  figure[kind] = (figure[kind] ?? 0) + amount;
}

/** The pass of a step; recomputation counts as backward. */
function passOf({ phase }: FlatStep): "forward" | "backward" | "update" {
  return phase === "recompute" ? "backward" : phase;
}

/** Finds the module of a step or a value in the tree; missing modules are added. */
function placing({ program }: Compiled, root: Open) {
  const owners = ownersOf(program);
  const labels = labelsOf(program.graph);
  const tensors = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  const update = () => child(root, ":update", "update", "");
  const known = new Map<string, Open>();
  const inside = (path: string, operator: OperatorId | undefined): Open => {
    const key = `${path}\n${operator ?? ""}`;
    const leaf = known.get(key) ?? leafAt(path, operator);
    known.set(key, leaf);
    return leaf;
  };
  const leafAt = (path: string, operator: OperatorId | undefined): Open => {
    const place = moduleAt(root, path);
    if (operator === undefined) return place;
    const own = labels.get(operator) ?? operator;
    const label = wildcardPath(own);
    // A layer whose name is that of its only operator is merged with it.
    const isLayer = place !== root && place.name === label;
    const leaf = isLayer ? place : child(place, `${place.key}:${label}`, label, `${path}:${label}`);
    leaf.operators.add(operator);
    return leaf;
  };
  return {
    step: (step: FlatStep): Open => {
      const path = owners.ofStep(step);
      if (path === undefined) return update();
      return inside(path, step.kind === "local" ? owners.forwardOf(step.operator) : undefined);
    },
    value: (value: ValueId): Open => {
      const tensor = tensors.get(value);
      if (tensor === undefined) return root;
      const path = owners.ofTensor(tensor);
      return path === undefined ? update() : inside(path, owners.operatorOf(tensor));
    },
  };
}

function moduleAt(root: Open, path: string): Open {
  let place = root;
  let whole = "";
  for (const part of modulePathParts(path)) {
    whole = whole === "" ? part : `${whole}.${part}`;
    place = child(place, wildcardPath(whole), part.replace(/\[\d+\]/g, ""), whole);
  }
  return place;
}

function closed(place: Open): ModuleFigures {
  const inner = [...place.children.values()].map(closed);
  const figures = { time: {}, bytes: {}, memory: {} } satisfies Open["figures"];
  const whole: Open["figures"] = figures;
  for (const metric of ["time", "bytes", "memory"] as const) {
    for (const from of [place.figures, ...inner.map((each) => each.figures)]) {
      for (const kind of figureKinds) {
        const amount = from[metric][kind];
        if (amount !== undefined) whole[metric][kind] = (whole[metric][kind] ?? 0) + amount;
      }
    }
  }
  return {
    ...{ key: place.key, name: place.name, figures: whole },
    count: Math.max(1, place.paths.size),
    operators: [...new Set([...place.operators, ...inner.flatMap(({ operators }) => operators)])],
    children: inner,
  };
}
