import type { LayoutStep } from "#core/collective";
import type { DeviceId } from "#core/mesh";
import type { HowStep } from "./sabotage.ts";

type Groups = LayoutStep["groups"];

/** A step whose messages go other ways; the step itself where the fault is not one of ways. */
export function misrouted(step: LayoutStep, how: HowStep | undefined): LayoutStep {
  switch (how) {
    case "swap":
      return withSwappedMembers(step);
    case "group":
      return { ...step, groups: withOtherMember(step.groups) };
    case "order":
      return { ...step, groups: step.groups.map(turned) };
    case "drop":
    case "stale":
    case "scale":
    case undefined:
      return step;
  }
}

/** The last members of the first two groups of one size change places. */
function withOtherMember(groups: Groups): Groups {
  const [one, ...others] = groups;
  const other = others.find((group) => group.length === one?.length);
  const [a, b] = [one?.at(-1), other?.at(-1)];
  if (a === undefined || b === undefined) return groups;
  return groups.map((group) => {
    if (group !== one && group !== other) return group;
    return [...group.slice(0, -1), group === one ? b : a];
  });
}

function turned(group: Groups[number]): Groups[number] {
  return [...group.slice(1), ...group.slice(0, 1)];
}

/**
 * A step in which the first two members of every group, or the senders of two transfers, are
 * swapped.
 */
function withSwappedMembers(step: LayoutStep): LayoutStep {
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
