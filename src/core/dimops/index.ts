export type { DimAnno, Identifier, OpAnno, Reduction, ShapeAnno } from "./annotation.ts";
export { type AnnotationLevel, parseAnnotation, parseFragment } from "./parse.ts";
export { printAnnotation, printDim, printIdentifier, printShape } from "./print.ts";
export { transformSpace } from "./transform-space.ts";
