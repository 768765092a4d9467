import type { Link } from "#core/mesh";
import type { Hardware } from "./cost.ts";

/** A kind of device with what connects it: inside a node (or a torus), and between nodes. */
export interface Chip extends Omit<Hardware, "link"> {
  readonly within: Link;
  readonly between: Link;
  /** Devices of a node; of a torus the length from which on its axes close to rings. */
  readonly node: number;
  readonly isTorus: boolean;
}

/** NVSwitch and its kin: one hop between any two devices of a node. */
function switched(
  [name, tera, memoryBytes, memoryBandwidth]: readonly [string, number, number, number],
  within: number,
  between: number,
  node = 8,
): Chip {
  return {
    name,
    flops: tera * 1e12,
    peaks: { bf16: tera * 1e12, f16: tera * 1e12 },
    launch: 9e-6,
    basis: name === "H100" ? "measured" : "scaled",
    memoryBytes,
    memoryBandwidth,
    within: { latency: 3e-6, bandwidth: within, fabric: "switch" },
    between: { latency: 10e-6, bandwidth: between, fabric: "switch" },
    node,
    isTorus: false,
  };
}

/** TPUs: a link each way along every axis of the torus; a hop takes 1 µs. */
function torus(
  [name, tera, memoryBytes, memoryBandwidth]: readonly [string, number, number, number],
  within: number,
  between: number,
  node: number,
): Chip {
  return {
    name,
    flops: tera * 1e12,
    peaks: { bf16: tera * 1e12, f16: tera * 1e12 },
    launch: 9e-6,
    basis: "sheet",
    memoryBytes,
    memoryBandwidth,
    within: { latency: 1e-6, bandwidth: within, fabric: "line" },
    between: { latency: 10e-6, bandwidth: between, fabric: "switch" },
    node,
    isTorus: true,
  };
}

const gib = 2 ** 30;

/**
 * Dense bf16 rates, bytes of memory, bytes per second one way (planner.md §5). Latencies are those
 * of the model: 3 µs inside a node, 10 µs between nodes, 1 µs per hop of a torus.
 */
export const chips: readonly Chip[] = [
  switched(["V100", 125, 16 * gib, 0.9e12], 150e9, 0.39e9),
  switched(["A100", 312, 80e9, 2.039e12], 300e9, 25e9),
  switched(["H100", 989, 80e9, 3.35e12], 450e9, 50e9),
  switched(["H200", 989, 141e9, 4.8e12], 450e9, 50e9),
  switched(["B200", 2250, 180e9, 8e12], 900e9, 50e9),
  switched(["GB200", 2500, 186e9, 8e12], 900e9, 50e9, 72),
  switched(["MI300X", 1307, 192e9, 5.3e12], 448e9, 50e9),
  torus(["TPU v4", 275, 32e9, 1.2e12], 45e9, 6.25e9, 4),
  torus(["TPU v5e", 197, 16e9, 0.819e12], 45e9, 6.25e9, 16),
  torus(["TPU v5p", 459, 95 * gib, 2.765e12], 90e9, 6.25e9, 4),
  torus(["TPU v6e", 918, 32e9, 1.638e12], 90e9, 6.25e9, 16),
];
