export { loom } from "./system.ts";
