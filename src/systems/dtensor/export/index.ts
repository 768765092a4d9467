export { dtensorCode } from "./code-writer.ts";
