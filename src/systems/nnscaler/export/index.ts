export { writeNnscaler } from "./write-nnscaler.ts";
