import type { Compiled } from "#compile";
import type { OperatorId, TensorId } from "#core/ir";
import type { CollectiveStep, Redistribution } from "#core/program";
import { groupedBy } from "#core/records";
import type { BadgeStep } from "../graph/canvas.ts";
import { rememberedFor } from "../remembered.ts";
import { axisTags, runsOfRedistributions, stepsByRedistribution } from "../text/comm-summary.ts";

/** A redistribution with communication, with the facts by which it is matched. */
export interface Sent {
  readonly index: number;
  readonly tensor: TensorId;
  readonly name: string;
  /** Its collectives in words: `all-gather over mp, all-reduce over dp`. */
  readonly way: string;
  /** Names of the operators that read the result. */
  readonly readers: string;
  /** Bytes that the busiest device receives over all runs. */
  readonly bytes: number;
  readonly steps: readonly BadgeStep[];
}

/** A redistribution in both plans, or one that only one plan has. */
export interface SentPair {
  readonly before?: Sent;
  readonly now?: Sent;
}

/**
 * Pairs the redistributions of each tensor: first those with the same collectives and readers, then
 * those with the same collectives, then those with the same readers, then the rest in order. A
 * redistribution with other collectives replaces its partner.
 */
export function sentPairs(before: Compiled, now: Compiled): readonly SentPair[] {
  const [were, are] = [sentByName(before), sentByName(now)];
  return [...new Set([...were.keys(), ...are.keys()])].flatMap((name) =>
    pairsOf(were.get(name) ?? [], are.get(name) ?? []),
  );
}

const ranks: readonly ((sent: Sent) => string)[] = [
  ({ way, readers }) => `${way} ${readers}`,
  ({ way }) => way,
  ({ readers }) => readers,
  () => "",
];

function pairsOf(before: readonly Sent[], now: readonly Sent[]): readonly SentPair[] {
  const left = [...before];
  let open = [...now];
  const pairs: SentPair[] = [];
  for (const keyOf of ranks) {
    open = open.filter((sent) => {
      const at = left.findIndex((other) => keyOf(other) === keyOf(sent));
      if (at < 0) return true;
      pairs.push(...left.splice(at, 1).map((other) => ({ before: other, now: sent })));
      return false;
    });
  }
  return [
    ...pairs,
    ...open.map((sent) => ({ now: sent })),
    ...left.map((sent) => ({ before: sent })),
  ];
}

const sentByName = rememberedFor((compiled: Compiled): ReadonlyMap<string, readonly Sent[]> => {
  const { program, mesh } = compiled;
  const steps = stepsByRedistribution(program);
  const runs = runsOfRedistributions(program);
  const tensors = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const operators = new Map(program.graph.operators.map(({ id, name }) => [id, name]));
  const all = program.redistributions.flatMap((redistribution): Sent[] => {
    const { index, tensor, bytes } = redistribution;
    const own = steps.get(index) ?? [];
    if (own.length === 0) return [];
    return [
      {
        ...{ index, tensor, name: tensors.get(tensor) ?? tensor, way: wayOf(own) },
        readers: readersOf(redistribution, operators),
        bytes: (runs.get(index) ?? 1) * bytes,
        steps: own.map(({ collective, axes }) => ({
          collective,
          axes: axisTags(mesh.mesh, axes),
        })),
      },
    ];
  });
  return groupedBy(all, ({ name }) => name);
});

function wayOf(steps: readonly CollectiveStep[]): string {
  return steps.map(({ collective, axes }) => `${collective} over ${axes.join(", ")}`).join(", ");
}

function readersOf(
  { reasons }: Redistribution,
  operators: ReadonlyMap<OperatorId, string>,
): string {
  return reasons
    .map((reason) =>
      "operator" in reason ? (operators.get(reason.operator) ?? reason.operator) : reason.kind,
    )
    .join(" ");
}
