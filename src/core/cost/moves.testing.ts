import type { Collective } from "#core/collective";
import type { PricedMove } from "#core/reshard";
import { fromSheet } from "./machines/hardware.ts";

/** Devices of a teraflop each, with links of a gigabyte per second. */
export const hardware = fromSheet({
  name: "small",
  flops: 1e12,
  memoryBandwidth: 1e12,
  memoryBytes: 1e9,
  link: { latency: 1e-6, bandwidth: 1e9 },
});

type Fabric = "switch" | "ring" | "line";

/**
 * Priced move over one mesh axis, in abstract units or in seconds; `held` bytes before the step.
 */
export function move(
  collective: Collective,
  n: number,
  held: number,
  [latency, bandwidth]: readonly [number, number],
  fabric?: Fabric,
): PricedMove {
  const link = { latency, bandwidth, ...(fabric && { fabric }) };
  return { collective, axes: [{ size: n, link }], bytes: held };
}
