import type { Hardware } from "./cost.ts";
import type { Platform } from "./machine.ts";

/**
 * NVIDIA A100 SXM with 40 GB: 312 TFLOP/s dense bf16, 1.555 TB/s, NVLink 3 with 300 GB/s one way
 * and 3 µs a hop. What is assumed while a program names no hardware.
 */
export const assumedHardware: Hardware = {
  name: "A100 40 GB",
  flops: 312e12,
  memoryBytes: 40e9,
  memoryBandwidth: 1.555e12,
  link: { latency: 3e-6, bandwidth: 300e9 },
};

/** `assumedHardware` as a platform, with its link along every axis that has none. */
export const assumedPlatform: Platform = {
  hardware: assumedHardware,
  link: (mesh) => ({
    ...mesh,
    axes: mesh.axes.map((axis) => ({ link: assumedHardware.link, ...axis })),
  }),
};
