import { type Part, partSize } from "#core/mesh";
import { type AdapterHop, hopBetween, type Rvd } from "./adapter-hop.ts";

/** The mesh parts of each count of an RVD, outermost first. */
export type Placed = readonly (readonly Part[])[];

/** A hop with the parts that it moves and the placements around it. */
export interface PlacedHop {
  readonly hop: AdapterHop;
  readonly parts: readonly Part[];
  readonly before: Placed;
  readonly after: Placed;
}

/** A path's hops that end with blocks on the right devices; or why there are none. */
export type Alignment =
  | { readonly kind: "aligned"; readonly hops: readonly PlacedHop[] }
  | { readonly kind: "unaligned" }
  /** A hop would cut across the parts of the mesh, which our layouts cannot express. */
  | { readonly kind: "unsayable" };

/**
 * Follows a path and searches for an order of copies and partial values by which it ends on the
 * right devices. The order of attempts is nnScaler's: unchanged, then with an inner factor of the
 * decreasing count moved to the front (dimops.md §6.1).
 */
export function alignPath(
  start: Placed,
  rvds: readonly Rvd[],
  isTarget: (placed: Placed) => boolean,
): Alignment {
  const [from, to, ...rest] = rvds;
  if (from === undefined || to === undefined) {
    return isTarget(start) ? { kind: "aligned", hops: [] } : { kind: "unaligned" };
  }
  const hop = hopBetween(from, to);
  if (hop === undefined) throw new Error("a path goes hop by hop");
  let failure: Alignment = { kind: "unaligned" };
  for (const order of ordersOf(start, hop, from)) {
    const placed = order === undefined ? undefined : hopOn(order, hop);
    if (placed === undefined) failure = { kind: "unsayable" };
    else {
      const found = alignPath(placed.after, [to, ...rest], isTarget);
      if (found.kind === "aligned") return { kind: "aligned", hops: [placed, ...found.hops] };
      if (found.kind === "unsayable") failure = found;
    }
  }
  return failure;
}

/**
 * The placement itself, then its inner transposes; `undefined` for one that mesh parts cannot
 * express.
 */
function ordersOf(start: Placed, { down }: AdapterHop, from: Rvd): readonly (Placed | undefined)[] {
  const count = from[down] ?? 1;
  if (down > 1) return [start];
  const factors = Array.from({ length: count }, (_, at) => at).filter(
    (factor) => factor > 1 && count % factor === 0,
  );
  const turned = factors.map((factor) => {
    const cut = splitMinor(start[down] ?? [], factor);
    return cut && start.with(down, [...cut.minor, ...cut.major]);
  });
  return [start, ...turned];
}

function hopOn(placed: Placed, hop: AdapterHop): PlacedHop | undefined {
  const cut = splitMinor(placed[hop.down] ?? [], hop.size);
  if (cut === undefined) return undefined;
  const { major, minor } = cut;
  const before = placed.with(hop.down, [...major, ...minor]);
  const after = placed.with(hop.down, major).with(hop.up, [...(placed[hop.up] ?? []), ...minor]);
  return { hop, parts: minor, before, after };
}

/**
 * Splits parts so that the minor ones have the product `factor`; `undefined` if that cuts across a
 * part.
 */
function splitMinor(
  parts: readonly Part[],
  factor: number,
): { readonly major: readonly Part[]; readonly minor: readonly Part[] } | undefined {
  const last = parts.at(-1);
  if (factor === 1) return { major: parts, minor: [] };
  const joined = joinLast(parts);
  if (joined !== undefined) return splitMinor(joined, factor);
  if (last === undefined || last.kind !== "axis") return undefined;
  const size = partSize(last);
  const rest = parts.slice(0, -1);
  if (factor % size === 0) {
    const cut = splitMinor(rest, factor / size);
    return cut && { major: cut.major, minor: [...cut.minor, last] };
  }
  if (size % factor !== 0) return undefined;
  const outer = size / factor;
  return {
    major: [...rest, { ...last, size: outer }],
    minor: [{ ...last, before: last.before * outer, size: factor }],
  };
}

/** The parts with the last two joined, if they are contiguous on one axis; else `undefined`. */
function joinLast(parts: readonly Part[]): readonly Part[] | undefined {
  const [major, minor] = parts.slice(-2);
  if (major?.kind !== "axis" || minor?.kind !== "axis" || major.axis !== minor.axis) {
    return undefined;
  }
  if (major.before * major.size !== minor.before) return undefined;
  return [...parts.slice(0, -2), { ...major, size: major.size * minor.size }];
}
