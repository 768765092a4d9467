import { product } from "#core/arithmetic";
import { costOf, refinedBytes } from "../redistribution/cost.ts";
import type { MappedTensor } from "../redistribution/flat-layout.ts";
import { redistribute } from "../redistribution/redistribute.ts";
import { type Choice, layoutKey, piecesIn } from "./choices.ts";
import { enumerateCuts } from "./enumerate-strategies.ts";
import type { SearchOperator } from "./search-graph.ts";
import { sortedFirst } from "./sorted-first.ts";

/** What lies around a Reshape: the layouts that each neighbour's choices give its ends. */
export interface AroundReshape {
  /** Layouts of its operand; `undefined` if a parameter feeds it. */
  readonly before: readonly MappedTensor[] | undefined;
  /** Layouts that its readers want, in their order; those of a further Reshape excepted. */
  readonly after: readonly MappedTensor[];
  readonly isBeforeReshape: boolean;
}

/** A choice of a Reshape, before its price is known. */
export interface ReshapePair {
  readonly from: MappedTensor;
  readonly to: MappedTensor;
  /** Keys of the layouts. */
  readonly keys: { readonly from: string; readonly to: string };
}

/**
 * The choices of a Reshape, in MindSpore's order (mindspore.md §6.4): the cuts of its operand to a
 * whole result, then every layout of its operand to every layout that a reader wants.
 */
export function reshapePairs(
  { call, made = [] }: SearchOperator,
  { before, after, isBeforeReshape }: AroundReshape,
): readonly ReshapePair[] {
  const { shapes, devices } = call;
  const [shape = []] = shapes;
  const whole = made.map(() => -1);
  const own = enumerateCuts(shape, devices).map((cuts) => {
    const copies = devices / product(cuts);
    const deviceMatrix = copies > 1 ? [...cuts, copies] : cuts;
    const tensorMap = cuts.map((_, dim) => deviceMatrix.length - 1 - dim);
    return { deviceMatrix, tensorMap, shape };
  });
  const fromParameter = before === undefined;
  const first = (fromParameter ? [...own, ...own] : own).map((from) =>
    pair(keyed(from), keyed({ deviceMatrix: from.deviceMatrix, tensorMap: whole, shape: made })),
  );
  const rest = { deviceMatrix: [devices], tensorMap: whole, shape: made };
  const targets = (after.length === 0 && !isBeforeReshape ? [rest] : after).map(keyed);
  const sources = (before ?? [...own, ...own]).map(keyed);
  return [
    ...first,
    ...sources.flatMap((from) =>
      (isBeforeReshape ? [from, ...targets] : targets).map((to) => pair(from, to)),
    ),
  ];
}

interface Keyed {
  readonly layout: MappedTensor;
  readonly key: string;
}

function keyed(layout: MappedTensor): Keyed {
  return { layout, key: layoutKey(layout) };
}

function pair(from: Keyed, to: Keyed): ReshapePair {
  return { from: from.layout, to: to.layout, keys: { from: from.key, to: to.key } };
}

/**
 * The choice of a Reshape that has a given layout at one end: of those without communication the
 * one that computes least, else the one that sends least.
 */
export function matchingReshape(
  {
    pairs,
    operator,
  }: { readonly pairs: readonly ReshapePair[]; readonly operator?: SearchOperator },
  end: "from" | "to",
  layout: MappedTensor,
): Choice | undefined {
  const key = layoutKey(layout);
  const prices = new Map<string, Pick<Choice, "computation" | "communication">>();
  const matching = pairs.flatMap((each): readonly Choice[] => {
    if (each.keys[end] !== key) return [];
    const { from, to, keys } = each;
    const price = prices.get(`${keys.from}>${keys.to}`) ?? priceOf(from, to, operator);
    prices.set(`${keys.from}>${keys.to}`, price);
    return [{ strategies: [piecesIn(from)], inputs: [from], outputs: [to], ...price }];
  });
  const silent = matching.filter(({ communication }) => communication < 1e-9);
  const isSilent = silent.length > 0;
  const at = isSilent
    ? sortedFirst(silent, ({ computation }) => computation)
    : sortedFirst(matching, ({ communication }) => communication);
  return at === undefined ? undefined : (isSilent ? silent : matching)[at];
}

function priceOf(from: MappedTensor, to: MappedTensor, operator: SearchOperator | undefined) {
  const { forward, backward, computation } = costOf(redistribute(from, to));
  const isByRows = piecesIn(from)[0] === operator?.call.devices;
  const less = (bytes: number) => (isByRows && bytes > 1 ? bytes - 1 : bytes);
  return {
    computation: less(4 * computation),
    communication: refinedBytes(less(4 * (forward + backward))),
  };
}
