// Marks: what every drawing consists of.

export { type AxisTag, type Hue, hueOf, keepHues } from "./hue.ts";
export type { DeviceTile, Mark, MarkRole, Point, Rect, Size } from "./mark.ts";
export { lookOf, type Paint, type PatternPaint, textLooks } from "./mark-look.ts";
export { allPatterns, type Pattern, patternId, tileOf } from "./mark-pattern.ts";

// Glyphs: drawings of one tensor in a layout, and the table behind them.

export { deviceGlyphsOf } from "./glyph/device-glyph.ts";
export { type DrawnTensor, drawnIn } from "./glyph/drawn-dims.ts";
export { type GlyphOptions, glyphOf } from "./glyph/glyph.ts";
export { type Halos, haloSentence, halosOf, readsText } from "./glyph/halos.ts";
export {
  type Orientation,
  orientationIn,
  orientationKey,
  orientationText,
} from "./glyph/orientation.ts";
export { textureShare } from "./glyph/texture.ts";
export { rowsOf, type TableRow } from "./rows.ts";

// The canvas: positions of boxes and lines, and the list in its place on small screens.

export type {
  BlockStack,
  CanvasEdge,
  CanvasFrame,
  CanvasLayout,
  CanvasNode,
  ListRow,
  RedistributionBadge,
  RunHead,
} from "./graph/canvas.ts";
export { forwardOnly } from "./graph/canvas.ts";
export { foldedRunOf, nodeOf, openRunAround, runNodeOf } from "./graph/canvas-folded.ts";
export { type CanvasWindow, createWindow } from "./graph/canvas-window.ts";
export { extendToEqualBlocks } from "./graph/equal-blocks.ts";
export { type LabelRoom, labelRooms } from "./graph/label-room.ts";
export { layoutGraph } from "./graph/layout-graph.ts";
export { createLayouter, type Layouter } from "./graph/layouter.ts";
export { listOf } from "./graph/list.ts";
export { nameParts, tensorsOf } from "./graph/tensor-caption.ts";
export { trainingCounterparts } from "./graph/training/training-counterparts.ts";

// The board: a program by rows, one for each operator.

export type {
  BoardCard,
  BoardFrame,
  BoardGlyph,
  BoardLayout,
  BoardLine,
  BoardPill,
  BoardRowBox,
  BoardText,
  BoardView,
} from "./board/board.ts";
export { boardFit, boardZoom } from "./board/board-fit.ts";
export { boardLayout } from "./board/board-layout.ts";
export { type BoardPath, boardHome, boardPathTo } from "./board/board-path.ts";
export { isDrawnByRows, listLabel, type PlanDrawing } from "./board/drawn-by-rows.ts";
export {
  type ModuleLine,
  type ModuleOutline,
  moduleOutline,
  type OutlineItem,
  type SendLine,
} from "./board/module-outline.ts";

// How a plan differs from another one.

export {
  type BoardBefore,
  type BoardMark,
  type BoardMarks,
  boardMarks,
} from "./difference/board-marks.ts";
export {
  type CardDifference,
  type CardParts,
  cardDifference,
} from "./difference/card-difference.ts";
export type {
  DifferenceLine,
  DifferenceMark,
  DifferenceSign,
  GoneSend,
  PlanDifference,
  TensorBefore,
} from "./difference/difference.ts";
export { planDifference } from "./difference/plan-difference.ts";

// Cards and lines of the canvas: what they say, and how it looks.

export { annotationRuns } from "./card/annotation-runs.ts";
export { badgeCard, differenceText, resultCard, runCard, stackCard } from "./card/block-card.ts";
export { type AnnotationRun, type CardPiece, type CardRow, pieceText } from "./card/card.ts";
export {
  canvasTexts,
  cardPadding,
  cardPlaceOf,
  chipLook,
  frontOf,
  glyphGap,
  glyphRooms,
  inputPadding,
  paperEdge,
  papers,
  stackStep,
  statusLook,
  type TextLook,
} from "./card/card-look.ts";
export { type CardSource, farCardOf } from "./card/card-of.ts";
export {
  edgeArrow,
  frameLook,
  headCorners,
  headLook,
  lineLook,
  lineWidth,
  rangeHalo,
  rangePlace,
} from "./card/line-look.ts";
export { cutHues, operatorCard } from "./card/operator-card.ts";
export { inputCard, stateCard, tensorCard } from "./card/tensor-card.ts";

// The step player: pictures of collectives and operators, and what devices hold meanwhile.

export { allSteps } from "./folded.ts";
export type { Frame } from "./player/frame.ts";
export { framePlus, frameTexts, frameWay } from "./player/frame-look.ts";
export type { FramePiece } from "./player/frame-pieces.ts";
export {
  type FrameRoom,
  type FrameScene,
  type FrameText,
  frameScene,
  plateWidth,
} from "./player/frame-scene.ts";
export { type FrameWay, pointOn } from "./player/frame-ways.ts";
export { framesOf, ringFramesOf } from "./player/frames.ts";
export { heldText, liveTensors } from "./player/live-tensors.ts";
export { type OperatorFrame, operatorFrameOf } from "./player/operator-frame.ts";
export { operatorScene } from "./player/operator-scene.ts";
export { type PlayedStep, playedIndex, playedPlace, playedSteps } from "./player/played-steps.ts";

// The index space of an operator, and its projections onto the operands.

export { type ApplicationRow, applicationRows } from "./index-space/operation-applications.ts";
export {
  boxRects,
  cutLine,
  drawingOf,
  gridLines,
  indicesAt,
  rectsOf,
  type SpaceDrawing,
  type SpaceStrip,
} from "./index-space/projection-drawing.ts";
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
} from "./index-space/projection-images.ts";
export {
  type ProjectionSpace,
  projectionSpaceOf,
  type SpaceCut,
  type SpaceOperand,
  type SpaceShard,
} from "./index-space/projection-space.ts";

// Cards of the gallery.

export { type GalleryDrawing, galleryDrawing } from "./gallery.ts";

// Layouts, tensors and quantities as text.

export { type LabelSegment, labelOf } from "./text/label.ts";
export { labelIn, type Notation } from "./text/notation.ts";
export {
  formatBytes,
  formatBytesDelta,
  formatCount,
  formatRate,
  formatSeconds,
  formatSecondsDelta,
  formatShare,
} from "./text/numbers.ts";
export { sentenceOf, shownWords, stateSentence, stateWords } from "./text/sentence.ts";
export { fasterText, ratioText, whereText } from "./text/sequences.ts";
export { unverifiedSentence } from "./text/unverified-sentence.ts";

// Figures of a whole step, as engineers ask for them.

export {
  type FoldedItem,
  foldedItems,
  type ItemColumn,
  sortedItems,
} from "./figures/folded-items.ts";
export {
  type AliveItem,
  type MemoryCurve,
  type Moment,
  memoryCurve,
  momentAt,
  type Pass,
} from "./figures/memory-curve.ts";
export {
  type Figure,
  type FigureKind,
  figureKinds,
  figureTotal,
  type ModuleFigures,
  type ModuleMetric,
  moduleFigures,
} from "./figures/module-figures.ts";
export { basisWords, type StepFigure, stepFigures, utilisationOf } from "./figures/step-figures.ts";
export { type Waterfall, type WaterfallStep, waterfallOf } from "./figures/waterfall.ts";

// One step in time: lanes of what runs, and memory on the same axis.

export {
  nextMoment,
  type OnLane,
  onLane,
  spanAt,
  timelineAt,
} from "./timeline/at-moment.ts";
export { type DrawnPiece, drawnPieces } from "./timeline/drawn-pieces.ts";
export type { SpanPaint } from "./timeline/lane-spans.ts";
export { type LaneTotal, laneTotals } from "./timeline/lane-totals.ts";
export { type MomentWords, momentSentence, momentWords } from "./timeline/moment-words.ts";
export {
  moved,
  type Stretch,
  showing,
  stretchText,
  timeTicks,
  zoomed,
} from "./timeline/time-window.ts";
export {
  memoryLine,
  type Timeline,
  type TimelineLane,
  type TimeWindow,
  timelineOf,
} from "./timeline/timeline.ts";

// Figures of a plan: their parts and formulas.

export { type Contributor, commSummary } from "./text/comm-summary.ts";
export {
  type ComparedPart,
  type Contributed,
  type CostPart,
  comparedParts,
  costParts,
  type Metric,
} from "./text/contributors.ts";
export { formatAmount, joinText, termText } from "./text/formula-text.ts";
export {
  type ExplainedPart,
  explainedStep,
  formulasOf,
  heldFormula,
  timeFormula,
  totalFormula,
} from "./text/formulas.ts";

// A plan as tables and as a list of its redistributions.

export { type PlanPart, planHead, planParts, planTable } from "./text/plan-table.ts";
export {
  collectiveAt,
  phaseOf,
  type RedistributionGroup,
  redistributionList,
} from "./text/redistribution-list.ts";

// Drawings as SVG files.

export { monoFont, uiFont } from "./fonts.ts";
export {
  canvasPicture,
  framePicture,
  operatorPicture,
  stepPictures,
  tensorPicture,
} from "./svg/pictures.ts";
export {
  colourOf,
  mixed,
  type SvgColours,
  type SvgTheme,
  svgColours,
  tokenOf,
} from "./svg/svg-colours.ts";
