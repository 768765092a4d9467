import type { CodeWriter } from "#systems/arrays";
import { dtensorCode } from "#systems/dtensor/export";
import { jaxCode } from "#systems/jax";
import { mindsporeCode } from "#systems/mindspore/export";
import { nnscalerCode, nnscalerPolicyCode } from "#systems/nnscaler/export";
import { torchCode } from "#systems/torch";

/**
 * Every engine that plans are written for. The list stands apart from that of the systems, so that
 * the page, which writes code, does not load what reads programs.
 */
export const codeWriters: readonly CodeWriter[] = [
  jaxCode,
  torchCode,
  dtensorCode,
  mindsporeCode,
  nnscalerCode,
  nnscalerPolicyCode,
];
