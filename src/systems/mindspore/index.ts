export { mindsporeCommands } from "./commands/commands.ts";
export { type Emitted, emittedProgram } from "./emitted/emitted.ts";
export { mindsporeReshard } from "./mindspore-reshard.ts";
export { mindspore } from "./system.ts";
