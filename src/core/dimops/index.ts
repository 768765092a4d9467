export type { DimAnno, Identifier, OpAnno, Reduction, ShapeAnno } from "./annotation.ts";
export type { Argument, Json, Kwargs } from "./argument.ts";
export { type Bound, bindAnnotation, bindFirst } from "./bind.ts";
export { checkAnnotation, lostIdentifiers } from "./check-annotation.ts";
export { axisIdentifiers, indexAxesOf, operandDims } from "./index-axes.ts";
export { type AnnotationLevel, parseAnnotation, parseFragment } from "./parse.ts";
export { partition, partitionPiece } from "./partition.ts";
export { type Piece, type PieceTensor, wholePiece } from "./piece.ts";
export { printAnnotation, printDim, printShape } from "./print.ts";
export { indexBoxOf, projectionsOf } from "./projections.ts";
export {
  type CutConfig,
  parseSplit,
  printSplit,
  type Split,
  type TransformRule,
} from "./split.ts";
export { transformSpace } from "./transform-space.ts";
