import type { DeviceId, Layout, Part } from "#core/mesh";
import { applyMoves } from "./apply-moves.ts";
import type { Collective, Move, Transfer } from "./collective.ts";
import { exchangeTransfers, permuteTransfers } from "./exchange.ts";
import { componentsOf, groupsOf } from "./groups.ts";

/**
 * One collective as data: what it does to the layout, and who speaks with whom.
 *
 * `groups` list their members in the order of the parts that move, outermost first; a slice has
 * none. `transfers` stand where groups and moves do not say everything: an exchange, and a permute
 * between two arrangements of the devices.
 */
export interface CollectiveStep {
  readonly collective: Collective;
  readonly moves: readonly Move[];
  readonly groups: readonly (readonly DeviceId[])[];
  readonly transfers?: readonly Transfer[];
  readonly before: Layout;
  readonly after: Layout;
}

/** The step that moves make of a layout; its groups and the layout after it are derived. */
export function createStep(
  before: Layout,
  collective: Exclude<Collective, "exchange">,
  moves: readonly Move[],
  shape: readonly number[],
): CollectiveStep {
  const groups = collective === "slice" ? [] : groupsOf(before.mesh, movedParts(moves));
  return { collective, moves, groups, before, after: applyMoves(before, collective, moves, shape) };
}

/**
 * The ragged exchange between any two layouts that hold the same contributions on the same devices:
 * each device fetches exactly what it lacks, from the holder that has sent least so far.
 * `undefined` where the messages are too many to list.
 */
export function createExchange(
  before: Layout,
  after: Layout,
  shape: readonly number[],
): CollectiveStep | undefined {
  const transfers = exchangeTransfers(before, after, shape);
  if (transfers === undefined) return undefined;
  const groups = componentsOf(before.mesh, transfers);
  return { collective: "exchange", moves: [], groups, transfers, before, after };
}

/**
 * The permute between two layouts, also on different arrangements of the devices: each device gets
 * its whole block from one other, or keeps it. `undefined` when no permutation does that.
 */
export function createPermute(
  before: Layout,
  after: Layout,
  shape: readonly number[],
): CollectiveStep | undefined {
  const transfers = permuteTransfers(before, after, shape);
  if (transfers === undefined) return undefined;
  const groups = componentsOf(before.mesh, transfers);
  return { collective: "collective-permute", moves: [], groups, transfers, before, after };
}

/** The parts that moves name, in their order: what a step's groups are made of. */
export function movedParts(moves: readonly Move[]): readonly Part[] {
  return moves.map(({ part }) => part);
}
