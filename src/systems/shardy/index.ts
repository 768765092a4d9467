export { shardyReshard } from "./shardy-reshard.ts";
