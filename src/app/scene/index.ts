export { asGivenSentence } from "./as-given.ts";
export type {
  BadgeStep,
  BlockStack,
  CanvasEdge,
  CanvasFrame,
  CanvasLayout,
  CanvasNode,
  LaneHead,
  ListRow,
  RedistributionBadge,
  RunHead,
  TensorCaption,
} from "./canvas.ts";
export { forwardOnly } from "./canvas.ts";
export { foldedRunOf, nodeOf, openRunAround, runNodeOf } from "./canvas-folded.ts";
export { type CanvasWindow, createWindow } from "./canvas-window.ts";
export { type Contributor, commSummary } from "./comm-summary.ts";
export {
  type ComparedPart,
  type Contributed,
  type CostPart,
  comparedParts,
  costParts,
  type Metric,
} from "./contributors.ts";
export { deviceGlyphsOf } from "./device-glyph.ts";
export { type DrawnTensor, drawnIn } from "./drawn-dims.ts";
export { inEqualBlocks } from "./equal-places.ts";
export { allSteps } from "./folded.ts";
export { formatAmount, joinText, termText } from "./formula-text.ts";
export {
  type ExplainedPart,
  explainedStep,
  formulasOf,
  heldFormula,
  timeFormula,
  totalFormula,
} from "./formulas.ts";
export type { Frame, FrameDevice, FrameTransfer, HeldBlock } from "./frame.ts";
export { type FrameScene, type FrameText, frameScene, plateWidth } from "./frame-scene.ts";
export type { FrameWay } from "./frame-ways.ts";
export { framesOf, ringFramesOf } from "./frames.ts";
export { type GalleryDrawing, type GalleryTensor, galleryDrawing } from "./gallery.ts";
export { type GlyphOptions, glyphOf } from "./glyph.ts";
export { type Halos, haloSentence, halosOf, readsText } from "./halos.ts";
export { type HeldNow, heldNow, heldText } from "./held-now.ts";
export { type AxisTag, type Hue, hueOf } from "./hue.ts";
export { type LabelSegment, labelOf } from "./label.ts";
export { type LabelRoom, labelRooms } from "./label-room.ts";
export { layoutGraph } from "./layout-graph.ts";
export { createLayouter, type Layouter } from "./layouter.ts";
export { listOf } from "./list.ts";
export type {
  Badge,
  Cell,
  DeviceGlyphs,
  DeviceTile,
  Glyph,
  Mark,
  MarkRole,
  Point,
  Rect,
  Size,
} from "./mark.ts";
export { labelIn, type Notation } from "./notation.ts";
export {
  formatBytes,
  formatBytesDelta,
  formatSeconds,
  formatSecondsDelta,
  formatShare,
} from "./numbers.ts";
export { type ApplicationRow, applicationRows } from "./operation-applications.ts";
export { type OperatorFrame, operatorFrameOf } from "./operator-frame.ts";
export { operatorScene } from "./operator-scene.ts";
export {
  type Orientation,
  orientationIn,
  orientationKey,
  orientationText,
} from "./orientation.ts";
export {
  mixed,
  type PictureColours,
  type PictureTheme,
  pictureColours,
} from "./picture-colours.ts";
export { axisTextures, haloTexture, textureInk } from "./picture-writer.ts";
export {
  canvasPicture,
  framePicture,
  operatorPicture,
  stepPictures,
  tensorPicture,
} from "./pictures.ts";
export { type PlanPart, planHead, planParts, planTable } from "./plan-table.ts";
export { type PlayedStep, placeOf, playedPlace, playedSteps } from "./played-steps.ts";
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
export {
  collectiveAt,
  type PlacedCollective,
  phaseOf,
  type RedistributionGroup,
  type RedistributionLine,
  redistributionList,
} from "./redistribution-list.ts";
export { type DrawnRange, rowsOf, type TableRow } from "./rows.ts";
export {
  heldWords,
  type NamedTensor,
  sentenceOf,
  shownWords,
  stateSentence,
  stateWord,
  stateWords,
} from "./sentence.ts";
export { fasterText, ratioText, whereText } from "./sequences.ts";
export { shapeWords } from "./shape-words.ts";
export { nameParts } from "./tensor-caption.ts";
export { type TextureStep, textureShare, textureSteps, tileLook } from "./texture.ts";
export { matesOf } from "./training-mates.ts";
