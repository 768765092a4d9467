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

/**
 * The choices of a Reshape, in MindSpore's order (mindspore.md §6.4): the cuts of its operand to a
 * whole result, then every layout of its operand to every layout that a reader wants.
 */
export function reshapeChoices(
  { call, made = [] }: SearchOperator,
  { before, after, isBeforeReshape }: AroundReshape,
): readonly Choice[] {
  const { shapes, devices } = call;
  const [shape = []] = shapes;
  const priced = new Map<string, Pick<Choice, "computation" | "communication">>();
  const choice = (from: MappedTensor, to: MappedTensor): Choice => {
    const key = `${layoutKey(from)}>${layoutKey(to)}`;
    const price = priced.get(key) ?? priceOf(from, to, devices);
    priced.set(key, price);
    return { strategies: [piecesIn(from)], inputs: [from], outputs: [to], ...price };
  };
  const whole = made.map(() => -1);
  const own = enumerateCuts(shape, devices).map((cuts) => {
    const copies = devices / product(cuts);
    const deviceMatrix = copies > 1 ? [...cuts, copies] : cuts;
    const tensorMap = cuts.map((_, dim) => deviceMatrix.length - 1 - dim);
    const from = { deviceMatrix, tensorMap, shape };
    return choice(from, { deviceMatrix, tensorMap: whole, shape: made });
  });
  const first = before === undefined ? [...own, ...own] : own;
  const operands = before ?? first.flatMap(({ inputs }) => inputs[0] ?? []);
  const rest = { deviceMatrix: [devices], tensorMap: whole, shape: made };
  const targets = (from: MappedTensor): readonly MappedTensor[] => {
    if (isBeforeReshape) return [from, ...after];
    return after.length === 0 ? [rest] : after;
  };
  return [...first, ...operands.flatMap((from) => targets(from).map((to) => choice(from, to)))];
}

function priceOf(from: MappedTensor, to: MappedTensor, devices: number) {
  const { forward, backward, computation } = costOf(redistribute(from, to));
  const isByRows = piecesIn(from)[0] === devices;
  const less = (bytes: number) => (isByRows && bytes > 1 ? bytes - 1 : bytes);
  return {
    computation: less(4 * computation),
    communication: refinedBytes(less(4 * (forward + backward))),
  };
}

/**
 * The choice of a Reshape that has a given layout at one end: of those without communication the
 * one that computes least, else the one that sends least.
 */
export function matchingReshape(
  choices: readonly Choice[],
  end: "inputs" | "outputs",
  layout: MappedTensor,
): Choice | undefined {
  const key = layoutKey(layout);
  const matching = choices.filter((choice) => {
    const [own] = choice[end];
    return own !== undefined && layoutKey(own) === key;
  });
  const silent = matching.filter(({ communication }) => communication < 1e-9);
  const at =
    silent.length > 0
      ? sortedFirst(silent, ({ computation }) => computation)
      : sortedFirst(matching, ({ communication }) => communication);
  return at === undefined ? undefined : (silent.length > 0 ? silent : matching)[at];
}
