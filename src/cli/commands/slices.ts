import type { Answer, Arguments } from "./answer.ts";
import { layoutSlices } from "./layout-slices.ts";
import { tensorSlices } from "./tensor-slices.ts";

/** `slices`: ranges held by every device, for a layout or a tensor of a program. */
export function slicesAnswer(args: Arguments): Answer {
  return args.program === undefined ? layoutSlices(args) : tensorSlices(args);
}
