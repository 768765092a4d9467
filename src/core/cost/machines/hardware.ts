import type { Hardware } from "../cost.ts";
import type { Platform } from "./machine.ts";

/**
 * NVIDIA A100 SXM with 40 GB: 312 TFLOP/s dense bf16, 1.555 TB/s, NVLink 3 with 300 GB/s one way
 * and 3 µs a hop. Assumed for a program that names no hardware.
 */
export const assumedHardware: Hardware = {
  name: "A100 40 GB",
  flops: 312e12,
  peaks: { bf16: 312e12, f16: 312e12, tf32: 156e12, f32: 19.5e12, int8: 624e12 },
  launch: 9e-6,
  basis: "scaled",
  memoryBytes: 40e9,
  memoryBandwidth: 1.555e12,
  link: { latency: 3e-6, bandwidth: 300e9 },
  multiprocessors: 108,
  crowding: 1.14,
  sources: {
    peaks: "NVIDIA A100 data sheet (40 GB SXM), without sparsity",
    memory: "NVIDIA A100 data sheet (40 GB SXM)",
    within: "NVLink 3, 600 GB/s both ways: NVIDIA A100 data sheet",
    between: "assumed: as inside a node, while no machine is named",
    launch: "assumed: the host beside the measured H100",
  },
};

/** Name of the assumed device's machine in a text. */
export const assumedMachine = "A100 40GB";

/**
 * A device known by the figures of its data sheet alone; launches take its host no time.
 *
 * @internal
 */
export function fromSheet(
  figures: Omit<Hardware, "peaks" | "launch" | "basis"> &
    Partial<Pick<Hardware, "peaks" | "launch">>,
): Hardware {
  const { flops } = figures;
  return { peaks: { bf16: flops, f16: flops }, launch: 0, ...figures, basis: "sheet" };
}

/** `assumedHardware` as a platform, with its link along every axis that has none. */
export const assumedPlatform: Platform = {
  hardware: assumedHardware,
  link: (mesh) => ({
    ...mesh,
    axes: mesh.axes.map((axis) => ({ link: assumedHardware.link, ...axis })),
  }),
};
