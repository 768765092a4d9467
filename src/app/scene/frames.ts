import type { Compiled } from "#compile";
import type { Frame } from "./frame.ts";

/** The frames of one redistribution, one or two per collective. */
export function framesOf(_compiled: Compiled, _redistribution: number): readonly Frame[] {
  return [];
}
