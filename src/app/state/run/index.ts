// Runs of a plan, and the faults injected into them.

export { nodeFaults } from "./node-faults.ts";
export { faultIn, plannedFault } from "./planned-fault.ts";
export { type WrongDevices, wrongDevices } from "./run-faults.ts";
export { faultSentence, type RunStatus } from "./run-slice.ts";
