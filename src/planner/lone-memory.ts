import type { Hardware } from "#core/cost";
import type { DeviceMesh } from "#core/mesh";
import type { AxisStrategy } from "./strategies.ts";

/** What a choice costs by itself, and what its backward pass reads and makes. */
export interface OwnWork {
  /** Of the operator's own work, forward and backward. */
  readonly seconds: number;
  /** Of `seconds` what computing its results once more takes. */
  readonly forwardSeconds: number;
  /** Whether its own backward pass reads its results. */
  readonly readsResult: boolean;
  /** By operand: how the backward pass reads it again; -1 where it does not. */
  readonly again: readonly number[];
  /** By operand: the layout in which its gradient is made; -1 where none is. */
  readonly gradients: readonly number[];
}

/** By operand: the layouts in which it arrives, and in which its gradient is made if one is. */
interface Operands {
  readonly reads: readonly number[];
  readonly gradients: readonly number[];
}

/** The same for every strategy that cuts an operator into as many pieces. */
interface SharedWork extends Pick<OwnWork, "seconds" | "forwardSeconds" | "readsResult"> {
  /** By operand: whether the backward pass reads it as forward does, and makes its gradient. */
  readonly isReadAgain: readonly boolean[];
  readonly hasGradient: readonly boolean[];
}

/** Entries beyond which it begins anew. */
const sizeLimit = 100_000;

/**
 * What operators cost by themselves. Where nothing is moved inside of an operator, that depends on
 * how many pieces its identifiers are cut into, not on the mesh axes that cut them: what is known on
 * one mesh holds on another one of the same devices.
 */
export class LoneMemory {
  /** Null where strategies with one key may differ. */
  private readonly known = new Map<string, SharedWork | null>();

  /**
   * @param key what is the same of two operators that cost the same, with their pieces
   * @param choice how its operands lie, and its gradients unless something is moved
   * @param ask works it out, with whether something is moved inside
   */
  of(
    key: string,
    choice: Operands,
    ask: () => OwnWork & { readonly movesInside: boolean },
  ): OwnWork {
    const known = this.known.get(key);
    if (known) return workOf(known, choice);
    const { movesInside, ...found } = ask();
    if (known === undefined) {
      if (this.known.size >= sizeLimit) this.known.clear();
      this.known.set(key, movesInside ? null : sharedWork(found, choice));
    }
    return found;
  }
}

function workOf(
  { isReadAgain, hasGradient, ...work }: SharedWork,
  { reads, gradients }: Operands,
): OwnWork {
  const again = reads.map((state, at) => (isReadAgain[at] === true ? state : -1));
  return { ...work, again, gradients: gradients.map((s, at) => (hasGradient[at] ? s : -1)) };
}

/** Null where the backward pass reads or makes something in layouts of its own. */
function sharedWork({ again, gradients, ...work }: OwnWork, choice: Operands): SharedWork | null {
  const isAsRead = again.every((state, at) => state === -1 || state === choice.reads[at]);
  const isAsMade = gradients.every((state, at) => state === -1 || state === choice.gradients[at]);
  if (!isAsRead || !isAsMade) return null;
  const { seconds, forwardSeconds, readsResult } = work;
  const isThere = (state: number) => state !== -1;
  return {
    ...{ seconds, forwardSeconds, readsResult },
    isReadAgain: again.map(isThere),
    hasGradient: gradients.map(isThere),
  };
}

/** What the work of an operator depends on, beside the operator itself and what runs it. */
export function piecesText({ cuts, carry }: AxisStrategy, { axes }: DeviceMesh): string {
  const count = (places: readonly number[]) =>
    places.reduce((product, at) => product * (axes[at]?.size ?? 1), 1);
  const pieces = [...cuts].map(([name, places]) => `${name}${count(places)}`);
  return [...pieces.sort(), ...carry.map(({ axis, group }) => `${group}:${count([axis])}`)].join();
}

/** What the work of all operators depends on. */
export function hardwareText({ flops, memoryBandwidth }: Hardware): string {
  return `${flops} ${memoryBandwidth}`;
}
