import type { GraphWords } from "#systems/system/graph";

/** What screens say of LoomGraphs. */
export const loomWords: GraphWords = {
  title: "LoomGraph",
  target: "loom",
  ownDtypes: { of: "Loom", names: ["int32", "float32"] },
};
