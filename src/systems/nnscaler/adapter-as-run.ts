import { groupsOf } from "#core/collective";
import type { DeviceMesh, Layout } from "#core/mesh";
import { type Held, type HeldBy, heldAfter, heldAtFirst } from "#systems/system";
import type { PlacedHop } from "./adapter-place.ts";
import type { AdapterRoute } from "./adapter-reshard.ts";

/** From where to where a tensor goes. */
interface Way {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
}

/** The blocks of a device after an adapter has run, and the blocks that its reader wants. */
export interface HeldAsRun {
  readonly device: number;
  /** The wanted runs of indices per dim, in memory order. */
  readonly wanted: Held["dims"];
  /** Absent where pieces do not fit each other on the way. */
  readonly held?: Held["dims"];
  readonly isRight: boolean;
}

/**
 * What an adapter leaves every device with, when it runs: the groups of nnScaler 0.8 list their
 * ranks in ascending order, whatever order its path means, so pieces that lie on devices in another
 * order are put together, or dealt out, in a wrong one (engine-nnscaler.md §3.1, §3.2).
 */
export function heldAsRun(
  routes: readonly AdapterRoute[],
  { from, to, shape }: Way,
): readonly HeldAsRun[] {
  let held: HeldBy | undefined = heldAtFirst(from, shape);
  for (const { hops, mesh } of routes) {
    for (const hop of hops) held = held && afterHop(held, hop, mesh);
  }
  const isWhole = ({ shares }: Held) =>
    to.partials.length > 0 || shares.length === shareCount(from);
  return [...heldAtFirst(to, shape)].map(([device, { dims: wanted }]) => {
    const has = held?.get(device);
    const isRight = has !== undefined && isWhole(has) && String(has.dims) === String(wanted);
    return { device, wanted, ...(has && { held: has.dims }), isRight };
  });
}

/**
 * Whether an adapter, when it runs, leaves every device with the blocks that its reader wants;
 * false also where a later hop would undo a misplacement of an earlier one.
 */
export function isRightAsRun(routes: readonly AdapterRoute[], way: Way): boolean {
  return heldAsRun(routes, way).every(({ isRight }) => isRight);
}

function shareCount({ partials }: Layout): number {
  return partials.reduce((n, { part }) => n * (part.kind === "axis" ? part.size : 1), 1);
}

/** What devices hold after one hop; undefined where its pieces do not fit each other any more. */
function afterHop(
  held: HeldBy,
  { hop: { primitive, down, up }, parts }: PlacedHop,
  mesh: DeviceMesh,
): HeldBy | undefined {
  if (primitive === "value-chunk") return undefined;
  const groups = groupsOf(mesh, parts).map((group) => [...group].sort((a, b) => a - b));
  return heldAfter(held, { primitive, down: down - 2, up: up - 2 }, groups);
}
