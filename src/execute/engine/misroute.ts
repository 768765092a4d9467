import { sum } from "#core/arithmetic";
import type { LayoutStep } from "#core/collective";
import { boxesByIndex, type DeviceId, type Layout, partSize } from "#core/mesh";
import type { StepFaultKind } from "./injected-fault.ts";

type Groups = LayoutStep["groups"];

/** A step with its messages misrouted by a fault; the same step if the fault is of another kind. */
export function misrouted(step: LayoutStep, how: StepFaultKind | undefined): LayoutStep {
  switch (how) {
    case "swap":
      return withSwappedMembers(step);
    case "group":
      return { ...step, groups: withOtherMember(step) };
    case "order":
      return { ...step, groups: step.groups.map(turned) };
    case "drop":
    case "stale":
    case "scale":
    case undefined:
      return step;
  }
}

/**
 * The step with the last members of two groups exchanged, groups of one size whose members hold
 * different blocks.
 */
function withOtherMember({ groups, before }: Pick<LayoutStep, "groups" | "before">): Groups {
  const [one, other] = groupsApart(groups, before) ?? groups;
  const [a, b] = [one?.at(-1), other?.at(-1)];
  if (a === undefined || b === undefined || one?.length !== other?.length) return groups;
  return groups.map((group) => {
    if (group !== one && group !== other) return group;
    return [...group.slice(0, -1), group === one ? b : a];
  });
}

/** Two groups of equal size whose last members hold different blocks of a value in this layout. */
export function groupsApart(
  groups: Groups,
  before: Layout,
): readonly [Groups[number], Groups[number]] | undefined {
  const shape = before.dims.map(({ parts, sizes }) =>
    sizes === undefined ? parts.reduce((product, part) => product * partSize(part), 1) : sum(sizes),
  );
  const boxes = boxesByIndex(before, shape);
  const blocks = new Map(
    before.mesh.devices.map((device, index) => [device, JSON.stringify(boxes[index])]),
  );
  const blockOf = (group: Groups[number]) => blocks.get(group.at(-1) ?? -1);
  for (const one of groups) {
    const other = groups.find(
      (each) => each.length === one.length && blockOf(each) !== blockOf(one),
    );
    if (other !== undefined) return [one, other];
  }
  return undefined;
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
