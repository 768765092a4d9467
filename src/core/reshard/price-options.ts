import { defaultLink } from "#core/collective";
import type { AxisName, DeviceMesh, Link } from "#core/mesh";
import { fieldOf } from "#core/records";

/** What steps are priced with. */
export interface PriceOptions {
  /** 4 when unsaid. */
  readonly bytesPerElement?: number;
  /** How devices along an axis are connected; goes before what the mesh says. */
  readonly links?: Readonly<Record<AxisName, Link>>;
  /** Seconds to launch any collective; 5 µs when unsaid. */
  readonly launchSeconds?: number;
}

/** Seconds to launch a collective, unless options say otherwise. */
const usualLaunchSeconds = 5e-6;

/** Seconds to launch a collective. */
export function launchOf({ launchSeconds = usualLaunchSeconds }: PriceOptions): number {
  return launchSeconds;
}

/** How devices along an axis are connected. */
export function linkOf({ axes }: DeviceMesh, axis: AxisName, { links }: PriceOptions): Link {
  return fieldOf(links, axis) ?? axes.find(({ name }) => name === axis)?.link ?? defaultLink;
}
