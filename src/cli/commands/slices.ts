import type { Answer, Arguments } from "./answer.ts";
import { layoutSlices } from "./layout-slices.ts";
import { tensorSlices } from "./tensor-slices.ts";

/** `slices`: which ranges every device holds, of a layout or of a tensor of a program. */
export function slicesAnswer(args: Arguments): Answer {
  return args.program === undefined ? layoutSlices(args) : tensorSlices(args);
}
