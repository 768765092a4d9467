import type { Hardware } from "./cost.ts";
import type { Kernel } from "./kernel.ts";

/**
 * Host seconds of an eager operator by class, in launches of one small kernel: measured on rows of
 * few elements, where the kernels are shorter than their launch.
 */
const launches = {
  stream: 1.25,
  product: 1.95,
  softmax: 1.55,
  norm: 2.15,
  attention: 2.5,
  lookup: 1.55,
  optimizer: 7.3,
  view: 1.67,
  checkpoint: 144,
} as const;

/** Seconds in which the host launches a kernel eagerly. */
export function launchSeconds(kernel: Kernel, { launch }: Pick<Hardware, "launch">): number {
  return launch * launches[classOf(kernel)];
}

/** Seconds of the host for a view, which launches nothing. */
export function viewSeconds({ launch }: Pick<Hardware, "launch">): number {
  return launch * launches.view;
}

/**
 * Host seconds for one checkpoint call, without the kernels launched inside: 1.3 ms as measured.
 */
export function checkpointSeconds({ launch }: Pick<Hardware, "launch">): number {
  return launch * launches.checkpoint;
}

function classOf(kernel: Kernel): Exclude<keyof typeof launches, "view" | "checkpoint"> {
  if (kernel.class !== "traffic") return kernel.class === "attention" ? "attention" : "product";
  const { kind } = kernel;
  if (kind.includes("norm")) return "norm";
  if (kind.includes("softmax")) return "softmax";
  if (kind === "optimizer") return kind;
  return kind === "lookup" || kind === "scatter" ? "lookup" : "stream";
}
