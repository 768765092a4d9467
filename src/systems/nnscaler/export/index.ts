export { writeNnscaler, writePolicy } from "./write-nnscaler.ts";
