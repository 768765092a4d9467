import type { Example } from "#app/first-example";
import { deepseekLayer } from "./models/deepseek-v3-layer.ts";
import { ditXl } from "./models/dit-xl.ts";
import { gpt2 } from "./models/gpt2.ts";
import { llama3EightB } from "./models/llama3-8b.ts";
import { llama3SeventyB } from "./models/llama3-70b.ts";
import { llama3Prefill } from "./models/llama3-70b-prefill.ts";
import { mixtral } from "./models/mixtral-8x7b.ts";
import { vitLarge } from "./models/vit-large.ts";

/** Full-size published models, each with a hand-written plan for the machine that it names. */
export const models: readonly Example[] = [
  gpt2,
  llama3EightB,
  llama3SeventyB,
  llama3Prefill,
  mixtral,
  deepseekLayer,
  vitLarge,
  ditXl,
];
