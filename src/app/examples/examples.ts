import type { Example } from "./example.ts";
import { expertParallel } from "./expert-parallel.ts";
import { fsdp } from "./fsdp.ts";
import { jaxReshard } from "./jax-reshard.ts";
import { megatronMlp } from "./megatron-mlp.ts";
import { mindsporeNet } from "./mindspore-net.ts";
import { nnscalerMatmul } from "./nnscaler-matmul.ts";
import { sequenceParallel } from "./sequence-parallel.ts";
import { twoDWeights } from "./two-d-weights.ts";
import { twoMatmuls } from "./two-matmuls.ts";
import { vocabularyEmbedding } from "./vocabulary-embedding.ts";

/** All examples; the first is what a new reader sees. */
export const examples: readonly Example[] = [
  twoMatmuls,
  mindsporeNet,
  nnscalerMatmul,
  jaxReshard,
  megatronMlp,
  sequenceParallel,
  fsdp,
  twoDWeights,
  expertParallel,
  vocabularyEmbedding,
];
