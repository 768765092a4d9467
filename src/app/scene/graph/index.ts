// The canvas: positions of boxes and lines, and the list that replaces it on small screens.

export type {
  BlockStack,
  CanvasEdge,
  CanvasFrame,
  CanvasLayout,
  CanvasNode,
  ListRow,
  RedistributionBadge,
  RunHead,
} from "./canvas.ts";
export { forwardOnly } from "./canvas.ts";
export { labelParts } from "./canvas-blocks.ts";
export { foldedRunOf, nodeOf, openRunAround, runNodeOf } from "./canvas-folded.ts";
export { type CanvasWindow, createWindow } from "./canvas-window.ts";
export { extendToEqualBlocks } from "./equal-blocks.ts";
export { type LabelRoom, labelRooms } from "./label-room.ts";
export { layoutGraph } from "./layout-graph.ts";
export { createLayouter, type Layouter } from "./layouter.ts";
export { listOf } from "./list.ts";
export { nameParts, tensorsOf } from "./tensor-caption.ts";
export { trainingCounterparts } from "./training/training-counterparts.ts";
