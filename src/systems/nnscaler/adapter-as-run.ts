import { groupsOf } from "#core/collective";
import type { DeviceMesh, Layout } from "#core/mesh";
import { type Held, type HeldBy, heldAfter, heldAtFirst } from "#systems/system";
import type { PlacedHop } from "./adapter-place.ts";
import type { AdapterRoute } from "./adapter-reshard.ts";

/** Source layout, target layout and shape of an adapted tensor. */
interface Way {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
}

/** The block of a device after an adapter has run, and the block that its reader wants. */
export interface HeldAsRun {
  readonly device: number;
  /** The wanted index ranges per dim, in memory order. */
  readonly wanted: Held["dims"];
  /** Undefined if pieces do not fit together during the hops. */
  readonly held?: Held["dims"];
  readonly isRight: boolean;
}

/**
 * The blocks of every device after an adapter has run. The groups of nnScaler 0.8 list their ranks
 * in ascending order, whatever order the path implies, so pieces on devices in another order are
 * concatenated or scattered wrongly (engine-nnscaler.md §3.1, §3.2).
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
 * Whether an adapter leaves every device with the block that its reader wants; false also if a
 * later hop would undo a misplacement of an earlier one.
 */
export function isRightAsRun(routes: readonly AdapterRoute[], way: Way): boolean {
  return heldAsRun(routes, way).every(({ isRight }) => isRight);
}

function shareCount({ partials }: Layout): number {
  return partials.reduce((n, { part }) => n * (part.kind === "axis" ? part.size : 1), 1);
}

/** The blocks of all devices after one hop; `undefined` if the pieces do not fit together. */
function afterHop(
  held: HeldBy,
  { hop: { primitive, down, up }, parts }: PlacedHop,
  mesh: DeviceMesh,
): HeldBy | undefined {
  if (primitive === "value-chunk") return undefined;
  const groups = groupsOf(mesh, parts).map((group) => [...group].sort((a, b) => a - b));
  return heldAfter(held, { primitive, down: down - 2, up: up - 2 }, groups);
}
