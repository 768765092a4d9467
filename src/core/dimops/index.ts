export type { DimAnno, Identifier, OpAnno, Reduction, ShapeAnno } from "./annotation.ts";
