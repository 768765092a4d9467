export { systemCommands } from "./commands.ts";
