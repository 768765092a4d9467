// A program on fewer layers and smaller sizes, split as it was.

export { hasWrittenPieces } from "./cut-counts.ts";
export { fewerLayers, type LayersKept } from "./fewer-layers.ts";
export { smallerSizes } from "./smaller-sizes.ts";

// Which steps of a program a smaller one has as well.

export { matchSteps, type StepMatch } from "./match-steps.ts";
export { type Coverage, coverageOf } from "./step-kinds.ts";
