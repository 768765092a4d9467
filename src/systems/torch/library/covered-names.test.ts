import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { coreNames, functionalNames, moduleNames } from "./public-names.testing.ts";

interface Row {
  readonly about: string;
  readonly lines: readonly string[];
  readonly unread?: string;
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/torch/library/torch-nets.json", "utf8"),
);

const code = rows.flatMap(({ lines, unread }) => (unread === undefined ? lines : [])).join("\n");

/**
 * Names that no net has, and why. What they give is said to be unknown, which
 * `public-names.test.ts` holds of every name, or they are bases that nobody calls.
 */
const without: Readonly<Record<string, string>> = {
  "bases of others": "Container Module RNNBase RNNCellBase",
  "of formats of numbers that are not read": "grouped_mm scaled_grouped_mm scaled_mm",
  "as many elements as the values say": "nonzero _local_scalar_dense",
  "not read": "LinearCrossEntropyLoss",
  "operators of torch.ops.aten that are not read":
    "_adaptive_avg_pool2d_backward _cdist_forward _embedding_bag _fft_c2r _fft_r2c " +
    "_native_batch_norm_legit _pdist_forward avg_pool2d_backward col2im convolution_backward " +
    "embedding_dense_backward max_pool2d_with_indices_backward native_group_norm_backward " +
    "native_layer_norm_backward sym_is_contiguous sym_storage_offset sym_stride " +
    "upsample_bilinear2d upsample_nearest2d",
  "of the same text as one that a net has":
    "alias reflection_pad1d reflection_pad3d replication_pad2d replication_pad3d sym_numel",
};

const known = new Set(Object.values(without).flatMap((names) => names.split(" ")));

const homes = { nn: "nn", "nn.functional": "F", "Core ATen": "(torch|F|fft|aten|[a-z])" };

test.each([
  ...moduleNames.map((name) => ["nn", name] as const),
  ...functionalNames.map((name) => ["nn.functional", name] as const),
  ...coreNames.map((name) => ["Core ATen", name] as const),
])("%s: a net with PyTorch's answer calls %s", (list, name) => {
  const isCalled = new RegExp(`(\\b${homes[list]}|\\))\\.${name}(\\.\\w+)?\\(`).test(code);
  expect(isCalled || known.has(name)).toBe(true);
});
