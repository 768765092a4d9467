// The board: a program by rows, one per operator.

export { isDrawnByRows } from "../row-labels.ts";
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
} from "./board.ts";
export { gathersWeights } from "./board-facts.ts";
export { boardFit, boardZoom } from "./board-fit.ts";
export { boardLayout } from "./board-layout.ts";
export { type BoardPath, boardHome, boardPathTo } from "./board-path.ts";
export { listLabel, type PlanDrawing } from "./drawn-by-rows.ts";
export {
  type ModuleLine,
  type ModuleOutline,
  moduleOutline,
  type OutlineItem,
  type RedistributionLine,
} from "./module-outline.ts";
