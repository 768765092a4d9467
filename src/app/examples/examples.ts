import { type Example, type ExampleGroup, firstExample } from "#app/first-example";
import { attentionHeads } from "./attention-heads.ts";
import { carry } from "./carry.ts";
import { dataParallel } from "./data-parallel.ts";
import { deviceOrder } from "./device-order.ts";
import { expertParallel } from "./expert-parallel.ts";
import { forbiddenAxis } from "./forbidden-axis.ts";
import { fsdp } from "./fsdp.ts";
import { groupedQuery } from "./grouped-query.ts";
import { jaxReshard } from "./jax-reshard.ts";
import { loomBroadcastAdd } from "./loom-broadcast-add.ts";
import { loomConvolution } from "./loom-convolution.ts";
import { loomExpression } from "./loom-expression.ts";
import { loomSplitK } from "./loom-split-k.ts";
import { megatronMlp } from "./megatron-mlp.ts";
import { mesh8x8x8 } from "./mesh-8x8x8.ts";
import { mindsporeHigherOrder } from "./mindspore-higher-order.ts";
import { mindsporeInterleaved } from "./mindspore-interleaved.ts";
import { mindsporeLayoutsFour } from "./mindspore-layouts-four.ts";
import { mindsporeLayoutsTwo } from "./mindspore-layouts-two.ts";
import { mindsporeNet } from "./mindspore-net.ts";
import { mindsporeRankOrder } from "./mindspore-rank-order.ts";
import { mindsporeTwoNodes } from "./mindspore-two-nodes.ts";
import { models } from "./models.ts";
import { nnscalerMatmul } from "./nnscaler-matmul.ts";
import { nnscalerNorm } from "./nnscaler-norm.ts";
import { nnscalerPolicy } from "./nnscaler-policy.ts";
import { redistributionFourNodes } from "./redistribution-four-nodes.ts";
import { redistributionTwoNodes } from "./redistribution-two-nodes.ts";
import { sequenceParallel } from "./sequence-parallel.ts";
import { threeCuts } from "./three-cuts.ts";
import { transformerStack } from "./transformer-stack.ts";
import { twoAxesOneDim } from "./two-axes-one-dim.ts";
import { twoDWeights } from "./two-d-weights.ts";
import { unevenDim } from "./uneven-dim.ts";
import { vocabularyEmbedding } from "./vocabulary-embedding.ts";
import { vocabularyLoss } from "./vocabulary-loss.ts";
import { zero } from "./zero.ts";

const firstSteps: ExampleGroup = {
  title: "First steps",
  examples: [firstExample, threeCuts, forbiddenAxis],
};

const documents: ExampleGroup = {
  title: "Documents",
  examples: [
    mindsporeNet,
    mindsporeTwoNodes,
    mindsporeLayoutsTwo,
    mindsporeLayoutsFour,
    mindsporeRankOrder,
    mindsporeHigherOrder,
    mindsporeInterleaved,
    nnscalerMatmul,
    nnscalerPolicy,
    nnscalerNorm,
  ],
};

const parallelisms: ExampleGroup = {
  title: "Parallelisms",
  examples: [
    dataParallel,
    zero,
    fsdp,
    megatronMlp,
    sequenceParallel,
    attentionHeads,
    groupedQuery,
    transformerStack,
    twoDWeights,
    expertParallel,
    vocabularyEmbedding,
    vocabularyLoss,
  ],
};

const loomGraphs: ExampleGroup = {
  title: "LoomGraphs",
  examples: [loomExpression, loomConvolution, loomSplitK, loomBroadcastAdd],
};

const layouts: ExampleGroup = {
  title: "Layouts",
  examples: [unevenDim, twoAxesOneDim, deviceOrder, mesh8x8x8],
};

const redistributions: ExampleGroup = {
  title: "Redistribution",
  examples: [redistributionTwoNodes, redistributionFourNodes, carry, jaxReshard],
};

/** The small examples, each compiled, drawn and run quickly; a first visit opens the first. */
export const examples: readonly Example[] = [
  firstSteps,
  documents,
  parallelisms,
  loomGraphs,
  layouts,
  redistributions,
].flatMap((group) => group.examples);

/**
 * The gallery: published models, then the systems' documents, then examples of one subject each.
 */
export const exampleGroups: readonly ExampleGroup[] = [
  { title: "Models", examples: models },
  documents,
  loomGraphs,
  parallelisms,
  layouts,
  redistributions,
  firstSteps,
];

/** Models and small examples. */
export const everyExample: readonly Example[] = [...models, ...examples];
