import { groupsOf } from "#core/collective";
import type { Checked } from "#core/diagnostics";
import { bytesOf } from "#core/ir";
import { type Layout, slicesOf } from "#core/mesh";
import type { SpmdProgram } from "#core/program";
import { append } from "#core/records";
import { meshOf, NotWritten } from "#systems/arrays";
import { isRightAsRun } from "../adapter-as-run.ts";
import { type AdapterEdge, type AdapterWay, adapterEdges } from "../adapter-edges.ts";
import type { AdapterRules } from "../adapter-hop.ts";
import { type AdapterRoute, adapterRoutes, nnscalerReshard } from "../adapter-reshard.ts";
import type { Model } from "./model.ts";

/** One primitive of an adapter, with its groups. */
export interface AdapterCollective {
  /** nnScaler's primitive; a chunk communicates nothing. */
  readonly op: "all-gather" | "all-to-all" | "all-reduce" | "reduce-scatter" | "chunk";
  /** The dims that are gathered or cut; for an all-to-all the growing dim first. */
  readonly dims: readonly number[];
  /** Ranks of each group. */
  readonly groups: readonly (readonly number[])[];
}

/** nnScaler's adapter of a tensor for one reader. */
export interface Adapter {
  readonly tensor: string;
  /** The result of the reading operator; undefined for a result of the program. */
  readonly at?: string;
  readonly forward: readonly AdapterCollective[];
  /** Primitives of the gradient's adapter. */
  readonly backward: readonly AdapterCollective[];
  /** Bytes that the busiest device receives in the forward pass. */
  readonly bytes: number;
}

/** Expected results of nnScaler for the exported file. */
export interface NnscalerClaims {
  readonly devices: number;
  /** Slices of weights: per rank the range [start, stop) of every dim. */
  readonly slices: Readonly<Record<string, readonly (readonly (readonly number[])[])[]>>;
  readonly adapters: readonly Adapter[];
  /**
   * For each weight, the groups of ranks that sum its gradient; empty if every rank has the whole
   * gradient.
   */
  readonly reducers: Readonly<Record<string, readonly (readonly number[])[]>>;
}

/** The claims, with the adapter rules under which the program is correct. */
export interface RightClaims {
  readonly claims: NnscalerClaims;
  readonly rules: AdapterRules;
}

/**
 * The program that nnScaler 0.8 generates for a model under its policy: with reduce-scatters if
 * these come out right, else without any.
 *
 * @throws NotWritten if nnScaler has no adapter, or none that is right
 */
export function claimsOf(model: Model, program: SpmdProgram): RightClaims {
  const mesh = meshOf(program);
  const plans = new Map(model.calls.map(({ operator, plan }) => [operator.id, plan]));
  const operators = model.calls.map(({ operator }) => operator);
  const edges = adapterEdges({
    ...{ graph: { operators, tensors: program.graph.tensors }, mesh },
    planOf: (operator) => plans.get(operator),
    results: new Set(model.results.map(({ id }) => id)),
    wholeParameters: model.shared,
  });
  const plain = edges.every((edge) => isRight(edge, {}));
  const rules: AdapterRules = plain ? {} : { avoidsReduceScatter: true };
  const wrong = edges.find((edge) => !isRight(edge, rules));
  if (wrong !== undefined)
    throw new NotWritten(
      `nnScaler 0.8 puts pieces of ${wrong.tensor.name} together in a wrong order`,
    );
  const names = new Map(model.tensors.map(({ id, name }) => [id as string, name]));
  const adapters = edges.flatMap((edge): readonly Adapter[] => {
    const { tensor, reader } = edge;
    const forward = collectivesOn(edge.forward, edge, rules);
    const backward = edge.backward === undefined ? [] : collectivesOn(edge.backward, edge, rules);
    if (forward.length + backward.length === 0) return [];
    const at = names.get(reader?.outputs[0]?.tensor ?? "");
    const bytes = bytesOn(edge, rules);
    const place = { tensor: names.get(tensor.id) ?? tensor.name, ...(at !== undefined && { at }) };
    return [{ ...place, forward, backward, bytes }];
  });
  const weights = model.tensors.flatMap((each) =>
    each.kept === undefined ? [] : [{ ...each, kept: each.kept }],
  );
  const slices = weights.map(({ name, kept, shape }) => [name, rangesOf(kept, shape)] as const);
  return {
    rules,
    claims: {
      devices: model.devices,
      slices: Object.fromEntries(slices),
      adapters,
      reducers: Object.fromEntries(
        weights.map(({ id, name, kept, shape }) => [
          name,
          isReduced(model, id) ? sharers(kept, shape) : [],
        ]),
      ),
    },
  };
}

/**
 * Whether a reducer sums the gradient of a weight, because the reading pieces compute addends of
 * it.
 */
function isReduced({ calls, shared }: Model, id: string): boolean {
  const isPlain = ({ operands, levels }: Model["calls"][number]) =>
    operands.some((each) => each.id === id) &&
    levels.length > 0 &&
    levels.every(({ cut }) => cut !== undefined);
  return ![...shared].some((each) => each === id) && calls.some(isPlain);
}

function waysOf({ forward, backward }: AdapterEdge): readonly AdapterWay[] {
  return backward === undefined ? [forward] : [forward, backward];
}

function isRight(edge: AdapterEdge, rules: AdapterRules): boolean {
  const { shape } = edge.tensor;
  return waysOf(edge).every(({ from, to }) =>
    isRightAsRun(routesOf({ from, to }, edge, rules), { from, to, shape }),
  );
}

function routesOf(
  { from, to }: AdapterWay,
  { tensor }: AdapterEdge,
  rules: AdapterRules,
): readonly AdapterRoute[] {
  return found(adapterRoutes(from, to, tensor.shape, rules), tensor.name);
}

function found<T>(checked: Checked<T>, tensor: string): T {
  const [fault] = checked.diagnostics;
  if (!checked.ok) throw new NotWritten(`nnScaler has no adapter for ${tensor}: ${fault?.message}`);
  if (fault?.code === "nnscaler/fractional-hop")
    throw new NotWritten(`nnScaler 0.8 looks for an adapter of ${tensor} by a hop that is none`);
  return checked.value;
}

function collectivesOn(
  way: AdapterWay,
  edge: AdapterEdge,
  rules: AdapterRules,
): readonly AdapterCollective[] {
  return routesOf(way, edge, rules).flatMap(({ hops, mesh }) =>
    hops.flatMap(({ hop, parts }): readonly AdapterCollective[] => {
      if (hop.primitive === "value-chunk") return [];
      const dims = [hop.down, hop.up].flatMap((place) => (place > 1 ? [place - 2] : []));
      const groups = groupsOf(mesh, parts).map((group) => [...group].sort((a, b) => a - b));
      return [{ op: hop.primitive, dims, groups }];
    }),
  );
}

function bytesOn({ tensor, forward: { from, to } }: AdapterEdge, rules: AdapterRules): number {
  const bytesPerElement = bytesOf(tensor.dtype);
  const priced = nnscalerReshard(from, to, tensor.shape, { bytesPerElement, ...rules });
  return priced.ok ? priced.value.bytes : 0;
}

function rangesOf(layout: Layout, shape: readonly number[]): NnscalerClaims["slices"][string] {
  return slicesOf(layout, shape).map(({ ranges }) =>
    ranges.map(({ start, stop }) => [start, stop]),
  );
}

/** Groups of devices that keep the same piece of a weight; groups of one are left out. */
function sharers(layout: Layout, shape: readonly number[]): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const { device, ranges } of slicesOf(layout, shape)) {
    const key = ranges.map(({ start, stop }) => `${start}-${stop}`).join();
    append(groups, key, device);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}
