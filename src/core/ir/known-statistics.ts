import { apply, pointwise, read } from "./body/body.ts";
import { add, mul, sub } from "./body/expressions.ts";
import { letter, numberOf, shapeAt } from "./call.ts";
import { define } from "./define.ts";
import type { LibraryEntry } from "./entry.ts";

/** Norms with given statistics, learnt from former inputs. */
export const knownStatistics: readonly LibraryEntry[] = [
  // Elements do not depend on each other, so every dim may be cut.
  define({
    name: "batch_norm_with_statistics",
    parameters: ["x", "mean", "variance", "weight", "bias", "eps"],
    tensors: 5,
    required: 3,
    annotate: (call) => {
      const dims = shapeAt(call, 0).map((_, dim) => letter(dim));
      const channel = dims[1] ?? letter(1);
      const others = call.inputs.slice(1).map((shape) => (shape === undefined ? "?" : channel));
      return `${[dims.join(" "), ...others].join(", ")} -> ${dims.join(" ")}`;
    },
    body: (call) => {
      const scale = apply("rsqrt", add(read(2), numberOf(call, "eps", 1e-5)));
      const normal = mul(sub(read(0), read(1)), scale);
      const weighted = call.inputs[3] === undefined ? normal : mul(normal, read(3));
      return pointwise(call.inputs[4] === undefined ? weighted : add(weighted, read(4)));
    },
    gradient: "derived",
    domains: [undefined, undefined, { kind: "positive" }],
    sample: (n) => {
      const channels = n("c");
      const each = [channels];
      return {
        inputs: [[n("a"), channels, n("h"), n("w")], each, each, each, each],
        attributes: { eps: 1e-5 },
      };
    },
  }),
];
