import type { Operator } from "#core/ir";
import { blockCount } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { Strategy } from "./plan.ts";

/** The inner axes of an operator that a strategy cuts. */
export function innerCuts({ inner = [] }: Operator, { cuts }: Strategy): readonly string[] {
  return inner.filter((name) => blockCount(fieldOf(cuts, name) ?? []) > 1);
}
