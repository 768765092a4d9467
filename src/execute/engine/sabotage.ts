import type { CollectiveStep } from "#core/collective";
import type { DeviceId } from "#core/mesh";

/** A fault that is put in on purpose: a collective left out, or its groups in another order. */
export interface Sabotage {
  /** Number of the step in the program, from 0. */
  readonly step: number;
  readonly how: "drop" | "swap";
}

/** A step with the first two members of every group, or of its transfers, exchanged. */
export function swapped(step: CollectiveStep): CollectiveStep {
  if (step.transfers === undefined) {
    const groups = step.groups.map(([a, b, ...rest]) =>
      a === undefined || b === undefined ? [] : [b, a, ...rest],
    );
    return { ...step, groups };
  }
  const [first, ...rest] = step.transfers;
  const other = rest.find(({ from }) => from !== first?.from);
  if (first === undefined || other === undefined) return { ...step, transfers: [] };
  const exchange: ReadonlyMap<DeviceId, DeviceId> = new Map([
    [first.from, other.from],
    [other.from, first.from],
  ]);
  return {
    ...step,
    transfers: step.transfers.map((each) => ({
      ...each,
      from: exchange.get(each.from) ?? each.from,
    })),
  };
}
