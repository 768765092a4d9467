import { contentionFactor, type Hardware } from "#core/cost";
import type { DeviceMesh } from "#core/mesh";
import type { InnerCollective } from "./lone-operator.ts";
import type { AxisStrategy } from "./strategies.ts";

/** Own cost of a choice, and the layouts that its backward pass reads and computes. */
export interface OwnWork {
  /** Seconds of the operator's own work, forward and backward. */
  readonly seconds: number;
  /** The forward part of `seconds`, paid again when the operator is recomputed. */
  readonly forwardSeconds: number;
  /** The collectives inside it; absent without any. */
  readonly inside?: readonly InnerCollective[];
  /** Whether its own backward pass reads its results. */
  readonly readsResult: boolean;
  /** Layout in which the backward pass reads each operand again; −1 if it does not. */
  readonly again: readonly number[];
  /** The layout in which the gradient of each operand is made; -1 without a gradient. */
  readonly gradients: readonly number[];
}

/**
 * The layouts in which each operand arrives, and in which its gradient is made, if there is one.
 */
interface Operands {
  readonly reads: readonly number[];
  readonly gradients: readonly number[];
}

/** The work that all strategies with the same numbers of pieces have in common. */
interface SharedWork extends Pick<OwnWork, "seconds" | "forwardSeconds" | "readsResult"> {
  /** Whether the backward pass reads each operand in the forward layout, and makes its gradient. */
  readonly isReadAgain: readonly boolean[];
  readonly hasGradient: readonly boolean[];
}

/** Limit on the entries; beyond it the memory starts anew. */
const sizeLimit = 100_000;

/**
 * Cache of costs of single operators. Unless an operator moves data inside, its cost depends on the
 * number of pieces per identifier, not on the mesh axes that cut them. Therefore a result for one
 * mesh holds for other meshes of the same hardware.
 */
export class LoneMemory {
  /** The shared work by key; `null` for a key whose strategies may differ in work. */
  private readonly known = new Map<string, SharedWork | null>();

  /**
   * @param key equal for operators with equal costs and pieces
   * @param choice the layouts of its operands; they are those of its gradients too, unless data is
   * moved inside
   * @param ask computes the work
   */
  of(key: string, choice: Operands, ask: () => OwnWork): OwnWork {
    const known = this.known.get(key);
    if (known) return workOf(known, choice);
    const found = ask();
    if (known === undefined) {
      if (this.known.size >= sizeLimit) this.known.clear();
      this.known.set(key, hasInside(found) ? null : sharedWork(found, choice));
    }
    return found;
  }
}

function hasInside({ inside = [] }: OwnWork): boolean {
  return inside.length > 0;
}

function workOf(
  { isReadAgain, hasGradient, ...work }: SharedWork,
  { reads, gradients }: Operands,
): OwnWork {
  const again = reads.map((state, at) => (isReadAgain[at] === true ? state : -1));
  return { ...work, again, gradients: gradients.map((s, at) => (hasGradient[at] ? s : -1)) };
}

/**
 * The shared part of some work; `null` if the backward pass reads or makes tensors in layouts of
 * its own.
 */
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

/** A key of a strategy's numbers of pieces, on which the work of an operator depends. */
export function piecesText({ cuts, carry }: AxisStrategy, { axes }: DeviceMesh): string {
  const count = (places: readonly number[]) =>
    places.reduce((product, at) => product * (axes[at]?.size ?? 1), 1);
  const pieces = [...cuts].map(([name, places]) => `${name}${count(places)}`);
  return [...pieces.sort(), ...carry.map(({ axis, group }) => `${group}:${count([axis])}`)].join();
}

/**
 * A key of the hardware, on which the work of all operators depends: every figure of a chip, and
 * the number of chips.
 */
export function hardwareText(hardware: Hardware, { devices }: DeviceMesh): string {
  return JSON.stringify([hardware, contentionFactor(hardware, devices.length)]);
}
