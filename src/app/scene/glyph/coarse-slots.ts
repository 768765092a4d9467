import type { DimSlots, Slot } from "./dim-slots.ts";

/** Width (px) below which stripes are merged. */
export const leastStripe = 2;

/**
 * Merges the slots of a dim into groups of equal count if they are too narrow to be seen: the
 * fewest per group that make it at least `leastStripe` wide. A dim with wide slots stays unchanged.
 */
export function coarseSlots(slots: DimSlots, pixels: number): DimSlots {
  const least = Math.min(...slots.slots.map(({ room }) => room));
  const width = (pixels / slots.extent) * least;
  if (slots.slots.length === 1 || width >= leastStripe) return slots;
  const per = groupSizes(slots).find((count) => count * width >= leastStripe);
  return grouped(slots, per ?? slots.slots.length);
}

/** The possible numbers of blocks per group, fewest first: whole runs of the inner parts. */
function groupSizes({ parts }: DimSlots): readonly number[] {
  const sizes: number[] = [];
  let inner = 1;
  for (const { size } of [...parts].reverse()) {
    for (let count = 2; count <= size; count++) if (size % count === 0) sizes.push(inner * count);
    inner *= size;
  }
  return sizes;
}

function grouped({ parts, slots, extent }: DimSlots, per: number): DimSlots {
  const kept = keptParts(parts, per);
  const count = Math.ceil(slots.length / per);
  return {
    parts: kept,
    slots: Array.from({ length: count }, (_, at) =>
      joined(slots.slice(at * per, (at + 1) * per), digitsAt(kept, at)),
    ),
    extent,
  };
}

/**
 * The parts that distinguish groups: outer ones unchanged, the innermost with fewer coordinates.
 */
function keptParts(parts: DimSlots["parts"], per: number): DimSlots["parts"] {
  const [last, ...outer] = [...parts].reverse();
  if (last === undefined || per === 1) return parts;
  const rest = outer.reverse();
  if (per >= last.size) return keptParts(rest, per / last.size);
  return [...rest, { ...last, size: last.size / per }];
}

function digitsAt(parts: DimSlots["parts"], at: number): readonly number[] {
  return parts.map(({ size }, part) => {
    const inner = parts.slice(part + 1).reduce((product, next) => product * next.size, 1);
    return Math.floor(at / inner) % size;
  });
}

function joined(slots: readonly Slot[], digits: readonly number[]): Slot {
  const filled = slots.filter(({ length }) => length > 0);
  const [first, last] = [slots[0], slots.at(-1)];
  const start = first?.start ?? 0;
  const [from, to] = [filled[0] ?? first, filled.at(-1) ?? first];
  return {
    start,
    room: (last?.start ?? 0) + (last?.room ?? 0) - start,
    length: filled.length === 0 ? 0 : (to?.start ?? 0) + (to?.length ?? 0) - start,
    range: { start: from?.range.start ?? 0, stop: to?.range.stop ?? 0 },
    digits,
  };
}
