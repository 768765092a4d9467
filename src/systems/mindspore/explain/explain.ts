import { library } from "#core/ir";
import {
  type Signature,
  type SystemExplains,
  sampleAnnotation,
  signatureTable,
} from "#systems/system/explain";
import { primitiveFacts } from "../bindings/primitive-classes.ts";
import { modeHover, primitiveAttributeHover } from "./hover-modes.ts";
import { tupleHover } from "./hover-tuple.ts";

/** Hovers, signatures and completions for MindSpore's words. */
export const mindsporeExplains: SystemExplains = {
  hovers: [tupleHover, primitiveAttributeHover, modeHover],
  signatures: /* @__PURE__ */ signatureTable([
    [
      "Layout",
      "MindSpore: an arrangement of devices; calling it with aliases makes a tensor map.",
      ["device_matrix", "device_matrix", "a tuple of axis sizes, outermost first"],
      ["alias_name", "alias_name", "a tuple of as many axis names"],
      ["rank_list", "rank_list=None", "a list of ranks; 0, 1, 2, … when unsaid"],
    ],
    [
      "shard",
      "MindSpore: into how many pieces each dim of each input is cut, or a called Layout per input.",
      ["in_strategy", "in_strategy", "one tuple per input, one number per dim: ((4, 1), (1, 1))"],
      ["out_strategy", "out_strategy=None", "the same for the result"],
    ],
    [
      "AutoParallel",
      "MindSpore: a net under a parallel mode.",
      ["network", "network", "the Cell"],
      [
        "parallel_mode",
        'parallel_mode="semi_auto"',
        '"semi_auto", "sharding_propagation" or "recursive_programming"',
      ],
    ],
  ]),
  operator: primitiveSignature,
  members: (module) => (module === "ops" ? primitiveItems() : []),
};

/** Signature of a primitive's constructor; the meaning shows the annotation of its call. */
function primitiveSignature(name: string): Signature | undefined {
  const primitive = primitiveFacts.get(name);
  if (primitive === undefined) return undefined;
  const entry = library.get(primitive.entry);
  const parameters = primitive.parameters.map((own) => ({ name: own, shown: own, meaning: "" }));
  return { name, parameters, meaning: entry === undefined ? "" : sampleAnnotation(entry) };
}

function primitiveItems() {
  return [...primitiveFacts].flatMap(([name, { entry: by }]) => {
    const entry = library.get(by);
    if (entry === undefined) return [];
    return [
      { label: name, kind: "operator", insert: name, detail: sampleAnnotation(entry) } as const,
    ];
  });
}
