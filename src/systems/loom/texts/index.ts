import type { GraphWords } from "#systems/system/graph";

/** Words for LoomGraphs on screen. */
export const loomWords: GraphWords = {
  title: "LoomGraph",
  target: "loom",
  ownDtypes: { of: "Loom", names: ["int32", "float32"] },
};
