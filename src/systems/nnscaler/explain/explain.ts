import { type SystemExplains, signatureTable } from "#systems/system/explain";
import { policyHover } from "./hover-policy.ts";
import { policyValues } from "./policy-values.ts";

/** Hovers, signatures and completions for nnScaler's words. */
export const nnscalerExplains: SystemExplains = {
  hovers: [policyHover],
  signatures: /* @__PURE__ */ signatureTable([
    [
      "register_op",
      "nnScaler: gives a function its dimension annotation, so that it is one operator.",
      ["annotation", "annotation", 'e.g. "m k+, k+ n -> m n": + is summed, ^ may not be cut'],
      ["name", "name=None", "another name for the operator"],
      ["transform_rules", "transform_rules=()", "cuts that the annotation does not imply"],
    ],
  ]),
  values: policyValues,
};
