import type { System } from "#systems/system";
import { shardyReshard } from "./shardy-reshard.ts";

/** Shardy: its lowering of reshards. */
export const shardy: System = {
  name: "shardy",
  title: "Shardy",
  reshards: {
    note: "Shardy's own lowering of reshards; JAX itself still leaves the lowering to XLA",
    between: shardyReshard,
  },
};
