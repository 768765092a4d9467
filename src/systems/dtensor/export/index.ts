export { writeDtensor } from "./write-dtensor.ts";
