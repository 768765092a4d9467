import type { Layout } from "#core/mesh";
import { type CollectiveStep, type SpmdProgram, valuesById } from "#core/program";
import type { StepFaultKind } from "./injected-fault.ts";
import { groupsApart } from "./misroute.ts";

/**
 * Reason why a fault of a step changes nothing, and a fault of the same step that does show, if
 * any.
 */
export interface UndetectableFault {
  readonly why: string;
  readonly instead?: StepFaultKind;
}

/** Reason why a fault of a program's step cannot show; `undefined` if it can show. */
export function whyUndetectable(
  program: Pick<SpmdProgram, "values">,
  { collective, groups, pairs, input }: CollectiveStep,
  how: StepFaultKind,
): UndetectableFault | undefined {
  if (collective === "slice") return inSlice(how);
  const members = Math.max(1, ...groups.map(({ length }) => length));
  const isAlone = members === 1 && pairs === undefined;
  if (isAlone) return { why: "its groups have one member each, so nothing is sent" };
  switch (how) {
    case "swap":
    case "order":
      if (pairs !== undefined && how === "order")
        return { why: "its messages go from one device to another, in no order", instead: "swap" };
      return collective === "all-reduce"
        ? { why: "a sum is the same in every order", instead: "drop" }
        : undefined;
    case "group":
      if (pairs !== undefined)
        return { why: "its messages go from one device to another, in no groups", instead: "swap" };
      return groups.length < 2
        ? { why: "there is one group alone, so no member is of another", instead: "drop" }
        : sameGroups(groups, valuesById(program).get(input)?.layout);
    case "drop":
    case "stale":
    case "scale":
      return undefined;
  }
}

/** The reason for a slice, in which every device takes its own part of its own block. */
function inSlice(how: StepFaultKind): UndetectableFault | undefined {
  return how === "drop" || how === "scale"
    ? undefined
    : { why: "in a slice nobody sends anything", instead: "drop" };
}

function sameGroups(
  groups: CollectiveStep["groups"],
  before: Layout | undefined,
): UndetectableFault | undefined {
  if (before === undefined || groupsApart(groups, before) !== undefined) return undefined;
  return { why: "all groups hold the same blocks", instead: "drop" };
}
