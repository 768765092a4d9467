import { formatBytes, formatSeconds } from "#app/scene/text";
import type { Link } from "#core/mesh";

/**
 * `450 GB/s one way, 3.00 µs, switch`; of an axis that spans nodes the links between them first,
 * then those inside.
 */
export function linkText({ bandwidth, latency, fabric, inner }: Link): string {
  const kind = fabric === undefined ? [] : [fabricText(fabric)];
  const own = [`${rateText(bandwidth)} one way`, formatSeconds(latency)];
  if (inner === undefined) return [...own, ...kind].join(", ");
  return `${inner.nodes} nodes, ${own.join(", ")}; in each ${inner.devices} devices, ${linkText({ ...inner })}`;
}

/** Bytes per second: `450 GB/s`. */
export function rateText(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** The topology that joins devices, in a word. */
export function fabricText(fabric: NonNullable<Link["fabric"]>): string {
  return fabric === "two-level" ? "two levels" : fabric;
}
