export type { DimAnno, Identifier, OpAnno, Reduction, ShapeAnno } from "./annotation.ts";
export type { Argument, Json, Kwargs } from "./argument.ts";
export { type Binding, type Bound, bindAnnotation, bindFirst } from "./bind.ts";
export { checkAnnotation, lostIdentifiers } from "./check-annotation.ts";
export {
  axisIdentifiers,
  type BoundAxis,
  type BoundDim,
  type IndexSpace,
  indexAxesOf,
  operandDims,
} from "./index-axes.ts";
export type { OutputShapes } from "./output-shapes.ts";
export { type AnnotationLevel, parseAnnotation, parseFragment } from "./parse.ts";
export { type Partition, partition, partitionPiece } from "./partition.ts";
export { type Piece, type PieceOperand, type PieceTensor, wholePiece } from "./piece.ts";
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
