import type { Group } from "./rows.ts";

const kernels =
  "The kernel curves of the H100 were fitted to rows of this group, one set of constants per class of kernel and never one per row.";
const unfitted = "No constant was fitted to these rows alone:";

const fitted: Readonly<Record<Group, string>> = {
  operators: `${kernels} Rows of 30 µs or less are the host's launch; they count as right within 6 µs.`,
  "operators with a backward pass": kernels,
  steps:
    "One constant was fitted to a row of these: the rate of attention in f32, which only one step has. The rest are sums of kernels, whose curves were fitted to single operators.",
  "steps that the host limits":
    "The time in which the host starts a kernel was fitted to these rows; hosts differ by a fifth, and it is a figure of the machine that can be edited.",
  "compiled steps":
    "What a compiler saves of elementwise kernels and norms was fitted to these rows.",
  "published steps":
    "One factor per chip, what its kernels lose in steps of many devices, was fitted to these rows. Micro-batches that a source does not name are assumed, as each row says.",
  "peak memory": `${unfitted} what a backward pass keeps follows from the operators, and sizes are rounded as the allocator rounds them.`,
  "memory after the forward pass": `${unfitted} what a backward pass keeps follows from the operators.`,
  "published memory": `${unfitted} what a backward pass keeps follows from the operators.`,
};

/** A sentence about the constants of the model that were fitted to the rows of a group. */
export function fittedOf(group: Group): string {
  return fitted[group];
}
