import type { Layout } from "#core/mesh";
import type { MeshAtoms } from "./mesh-atoms.ts";
import type { ProgramLines } from "./program-lines.ts";

/**
 * Allowed difference from the reference, relative to its largest value: by the coarsest dtype's
 * rounding, with room for long sums; 0 for integers.
 */
export function toleranceOf({ ports: { inputs, outputs }, isExact }: ProgramLines): string {
  const dtypes = new Set([...inputs, ...outputs].map(({ dtype }) => dtype));
  if (dtypes.has("bf16")) return "5e-2";
  if (dtypes.has("f16")) return "1e-2";
  return isExact ? "0" : "1e-4";
}

/**
 * A layout as text: dims separated by commas, the axes of a dim by stars, outermost first:
 * `dp*mp,_`.
 */
export function layoutText({ dims }: Layout, mesh: MeshAtoms): string {
  return dims.map(({ parts }) => mesh.axesOf(parts).join("*") || "_").join(",");
}

/** Lines of Python indented by `depth` levels. */
export function indented(lines: readonly string[], depth: number): string {
  return lines.map((line) => `${"    ".repeat(depth)}${line}`).join("\n");
}
