import type { Chip } from "./chip.ts";
import { nvidiaChips } from "./nvidia-chips.ts";
import { otherChips } from "./other-chips.ts";

/**
 * Devices as their vendors describe them: dense rates, bytes of memory, bytes per second one way
 * (planner.md §5). Latencies are those of the model: 3 µs inside a node, 10 µs between nodes, 1 µs
 * per hop of a torus.
 */
export const chips: readonly Chip[] = [...nvidiaChips, ...otherChips];

/** The device that a text names; case, spaces and hyphens do not matter. */
export function chipNamed(name: string): Chip | undefined {
  const wanted = plainName(name);
  return chips.find((chip) => namesOf(chip).some((each) => plainName(each) === wanted));
}

/** All names of a device, its own first. */
export function namesOf({ name, also = [] }: Chip): readonly string[] {
  return [name, ...also];
}

/** A device name without case, spaces and hyphens, which people type differently. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/gu, "");
}
