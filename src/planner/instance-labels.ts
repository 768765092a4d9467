import { fieldOf } from "#core/records";
import type { Instance } from "./instance-problem.ts";

/** A partial plan: the choice of each node (-1 before one is made), its seconds and its sums. */
export interface InstanceLabel {
  readonly seconds: number;
  readonly sums: readonly number[];
  readonly choices: readonly number[];
}

/** The criteria by which partial plans are compared. */
export interface LabelRules {
  /** The sums that count. */
  readonly names: readonly string[];
  /** Weight of seconds; 0 if they do not count. */
  readonly perSecond: number;
  /** Whether a partial plan with these sums may still become a plan. */
  readonly keeps: (sums: readonly number[]) => boolean;
}

/** Partial plans for every choice of some nodes, in row-major order. */
interface Factor {
  readonly scope: readonly number[];
  readonly entries: readonly (readonly InstanceLabel[])[];
}

/** The most partial plans in one table before the search gives up. */
const labelLimit = 1_000_000;

/** The Pareto front of whole plans by seconds and every sum, the quickest first. */
export function eliminateAll(instance: Instance, rules: LabelRules): readonly InstanceLabel[] {
  const sizes = instance.nodes.map(({ seconds }) => seconds.length);
  let factors = [...nodeFactors(instance, rules), ...edgeFactors(instance, rules)];
  const left = new Set(instance.nodes.keys());
  while (left.size > 0) {
    const next = narrowest(left, factors, sizes);
    left.delete(next);
    const met = factors.filter(({ scope }) => scope.includes(next));
    const rest = factors.filter(({ scope }) => !scope.includes(next));
    factors = [...rest, eliminated(next, met, sizes, rules)];
  }
  const start: readonly InstanceLabel[] = [emptyLabel(instance, rules)];
  return factors.reduce((all, { entries }) => bestOf(joined(all, entries[0] ?? []), rules), start);
}

function emptyLabel({ nodes }: Instance, { names }: LabelRules): InstanceLabel {
  return { seconds: 0, sums: names.map(() => 0), choices: nodes.map(() => -1) };
}

function nodeFactors(instance: Instance, rules: LabelRules): readonly Factor[] {
  const empty = emptyLabel(instance, rules);
  return instance.nodes.map(({ seconds, memory }, node) => ({
    scope: [node],
    entries: seconds.map((each, choice): readonly InstanceLabel[] => {
      if (!Number.isFinite(each)) return [];
      const sums = rules.names.map((name) => fieldOf(memory[choice], name) ?? 0);
      const choices = empty.choices.map((_, at) => (at === node ? choice : -1));
      return [{ seconds: rules.perSecond * each, sums, choices }];
    }),
  }));
}

function edgeFactors(instance: Instance, rules: LabelRules): readonly Factor[] {
  const empty = emptyLabel(instance, rules);
  return instance.edges.map(({ from, to, seconds }) => ({
    scope: [from, to],
    entries: seconds.flat().map((each): readonly InstanceLabel[] => {
      return Number.isFinite(each) ? [{ ...empty, seconds: rules.perSecond * each }] : [];
    }),
  }));
}

/** Node whose elimination leaves the smallest table; among equal ones the first. */
function narrowest(
  left: ReadonlySet<number>,
  factors: readonly Factor[],
  sizes: readonly number[],
): number {
  const weights = [...left].map((node) => {
    const met = factors.filter(({ scope }) => scope.includes(node));
    const scope = new Set(met.flatMap((factor) => factor.scope));
    return { node, weight: countOf([...scope], sizes) };
  });
  return weights.reduce((best, each) => (each.weight < best.weight ? each : best)).node;
}

/**
 * The joined labels of all factors of a node: for each choice of its neighbours the best of the
 * node's own.
 */
function eliminated(
  node: number,
  factors: readonly Factor[],
  sizes: readonly number[],
  rules: LabelRules,
): Factor {
  const scope = [...new Set(factors.flatMap((factor) => factor.scope))]
    .filter((at) => at !== node)
    .sort((a, b) => a - b);
  const total = countOf(scope, sizes);
  if (total > labelLimit) throw new RangeError("its nodes depend on too many others at once");
  let count = 0;
  const entries = Array.from({ length: total }, (_, at) => {
    const chosen = choicesAt(at, scope, sizes);
    const labels = Array.from({ length: sizes[node] ?? 0 }, (_, choice) => {
      chosen.set(node, choice);
      return factors
        .map((factor) => factor.entries[jointIndex(factor.scope, chosen, sizes)] ?? [])
        .reduce((all, own) => joined(all, own));
    });
    const best = bestOf(labels.flat(), rules);
    count += best.length;
    if (count > labelLimit) throw new RangeError("too many partial plans are worth keeping");
    return best;
  });
  return { scope, entries };
}

function countOf(scope: readonly number[], sizes: readonly number[]): number {
  return scope.reduce((product, at) => product * (sizes[at] ?? 1), 1);
}

function choicesAt(
  at: number,
  scope: readonly number[],
  sizes: readonly number[],
): Map<number, number> {
  const chosen = new Map<number, number>();
  let rest = at;
  for (const node of scope.toReversed()) {
    chosen.set(node, rest % (sizes[node] ?? 1));
    rest = Math.floor(rest / (sizes[node] ?? 1));
  }
  return chosen;
}

function jointIndex(
  scope: readonly number[],
  chosen: ReadonlyMap<number, number>,
  sizes: readonly number[],
): number {
  return scope.reduce((place, node) => place * (sizes[node] ?? 1) + (chosen.get(node) ?? 0), 0);
}

function joined(
  a: readonly InstanceLabel[],
  b: readonly InstanceLabel[],
): readonly InstanceLabel[] {
  return a.flatMap((one) =>
    b.map((other) => ({
      seconds: one.seconds + other.seconds,
      sums: one.sums.map((sum, at) => sum + (other.sums[at] ?? 0)),
      choices: one.choices.map((choice, at) => Math.max(choice, other.choices[at] ?? -1)),
    })),
  );
}

/** Labels that may still become a plan and that no other label dominates. */
function bestOf(labels: readonly InstanceLabel[], { keeps }: LabelRules): readonly InstanceLabel[] {
  const kept: InstanceLabel[] = [];
  for (const label of labels.toSorted((a, b) => a.seconds - b.seconds)) {
    const isBeaten = kept.some(({ sums }) => sums.every((sum, at) => sum <= (label.sums[at] ?? 0)));
    if (!isBeaten && keeps(label.sums)) kept.push(label);
  }
  return kept;
}
