import { formatBytes, formatSeconds } from "#app/scene";
import type { Link } from "#core/mesh";

/** `450 GB/s one way, 3.00 µs, switch`. */
export function linkText({ bandwidth, latency, fabric }: Link): string {
  const kind = fabric === undefined ? [] : [fabricText(fabric)];
  return [`${rateText(bandwidth)} one way`, formatSeconds(latency), ...kind].join(", ");
}

/** Bytes per second: `450 GB/s`. */
export function rateText(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** How devices are joined, in a word. */
export function fabricText(fabric: NonNullable<Link["fabric"]>): string {
  return fabric === "two-level" ? "two levels" : fabric;
}
