export { dtensorWarnings } from "./warnings.ts";
export { writeDtensor } from "./write-dtensor.ts";
