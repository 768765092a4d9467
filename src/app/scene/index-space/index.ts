// The index space of an operator, and its projections onto the operands.

export { type ApplicationRow, applicationRows } from "./operation-applications.ts";
export {
  boxRects,
  cutLine,
  drawingOf,
  gridLines,
  indicesAt,
  rectsOf,
  type SpaceDrawing,
  type SpaceStrip,
} from "./projection-drawing.ts";
export {
  imageNote,
  imagesOf,
  movedWindow,
  type OperandImage,
  parseRange,
  rangeText,
  resizedWindow,
  type SharedCells,
  sharedCellsOf,
  wholeOf,
} from "./projection-images.ts";
export {
  type ProjectionSpace,
  projectionSpaceOf,
  type SpaceCut,
  type SpaceOperand,
  type SpaceShard,
} from "./projection-space.ts";
