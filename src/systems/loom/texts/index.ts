import type { GraphWords } from "#systems/system";

/** What screens say of LoomGraphs. */
export const loomWords: GraphWords = {
  title: "LoomGraph",
  target: "loom",
  ownDtypes: { of: "Loom", names: ["int32", "float32"] },
};
