import type { System } from "#systems/system";
import { dtensorReshard } from "./dtensor-reshard.ts";

/** DTensor: its greedy redistribution. */
export const dtensor: System = {
  name: "dtensor",
  title: "DTensor",
  reshards: {
    note: "DTensor's greedy planner, without flattened meshes",
    between: dtensorReshard,
    wordsOf: ({ collective }) => collective.replaceAll("-", "_"),
  },
};
