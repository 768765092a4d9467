export { shardyReshard } from "./shardy-reshard.ts";
export { shardy } from "./system.ts";
