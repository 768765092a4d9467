// Figures of a whole step, as engineers ask for them.

export {
  type FoldedItem,
  foldedItems,
  type ItemColumn,
  sortedItems,
} from "./folded-items.ts";
export {
  type AliveItem,
  type MemoryCurve,
  type Moment,
  memoryCurve,
  momentAt,
  type PassSpan,
} from "./memory-curve.ts";
export {
  type Figure,
  type FigureKind,
  figureKinds,
  figureTotal,
  type ModuleFigures,
  type ModuleMetric,
  moduleFigures,
} from "./module-figures.ts";
export { basisWords, type StepFigure, stepFigures, utilisationOf } from "./step-figures.ts";
export { type Waterfall, type WaterfallStep, waterfallOf } from "./waterfall.ts";
