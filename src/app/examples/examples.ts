import type { Example } from "./example.ts";
import { jaxReshard } from "./jax-reshard.ts";
import { mindsporeNet } from "./mindspore-net.ts";
import { nnscalerMatmul } from "./nnscaler-matmul.ts";
import { twoMatmuls } from "./two-matmuls.ts";

/** All examples; the first is what a new reader sees. */
export const examples: readonly Example[] = [twoMatmuls, mindsporeNet, nnscalerMatmul, jaxReshard];
