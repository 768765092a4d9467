// The computations of operators, and the cuts that these allow.

export {
  type Body,
  type Combine,
  type Definition,
  type Expr,
  type Loop,
  positionName,
  type Setting,
  type Table,
} from "./body.ts";
export {
  type CutsOfBody,
  cutsOfBody,
  markedAnnotation,
  usedTables,
  withCutsOfBody,
} from "./body-cuts.ts";
export { type OperatorBody, operatorBody } from "./operator-body.ts";
export type { PointOutput } from "./point-body.ts";
export { bindPoint, cellsPerPoint, pointKernel } from "./point-kernel.ts";
export { printBody, printGradient } from "./print-body.ts";
export { type ScalarFunction, type ScalarRule, scalarRules, standInNumber } from "./scalar.ts";
export {
  type BodyCall,
  type BodyOutcome,
  type BodyPiece,
  sameShape,
  type TraceBody,
  type TracedBody,
} from "./traced-body.ts";
