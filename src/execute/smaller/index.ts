// A program on fewer layers and smaller sizes, split as it was.

export { hasWrittenPieces } from "./cut-counts.ts";
export { fewerLayers, type LayersKept } from "./fewer-layers.ts";
export { smallerSizes } from "./smaller-sizes.ts";

// Steps of a program matched with those of a smaller one.

export { matchSteps, type StepMatch } from "./match-steps.ts";
export { type StepKindCoverage, stepKindCoverage } from "./step-kinds.ts";
