export { nnscalerReshard } from "./adapter-reshard.ts";
export { type AssignedPiece, assignmentOf, type Level } from "./assigned-levels.ts";
export { autodistOptions } from "./autodist-options.ts";
export { type FanOutFault, fanOutFault, type Reader, weightGradient } from "./fan-out.ts";
export { fusedPair } from "./fused-pair.ts";
export { knowsFunction } from "./known-functions.ts";
export { checkPattern, type RegistrationFault } from "./registration.ts";
