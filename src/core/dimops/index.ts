// Annotations as data and as text.

export type { DimAnno, Identifier, OpAnno, Reduction, ShapeAnno } from "./annotation.ts";
export { checkAnnotation, lostIdentifiers } from "./check-annotation.ts";
export { type AnnotationLevel, parseAnnotation, parseFragment } from "./parse.ts";
export { printAnnotation, printDim, printShape } from "./print.ts";

// An annotation bound to the arguments of a call.

export { type Argument, isList, type Json, type Kwargs } from "./argument.ts";
export { type Bound, bindAnnotation, bindFirst } from "./bind.ts";

// The index space of a bound annotation.

export { axisIdentifiers, indexAxesOf, operandDims } from "./index-axes.ts";
export { indexBoxOf, projectionsOf } from "./projections.ts";

// Operators cut in pieces.

export { partition, partitionPiece } from "./partition.ts";
export { type Piece, type PieceTensor, wholePiece } from "./piece.ts";
export {
  type CutConfig,
  parseSplit,
  printSplit,
  type Split,
  type TransformRule,
} from "./split.ts";
export { transformSpace } from "./transform-space.ts";
