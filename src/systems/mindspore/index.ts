export { mindsporeCommands } from "./commands/commands.ts";
export { mindsporeReshard } from "./mindspore-reshard.ts";
export { mindspore } from "./system.ts";
