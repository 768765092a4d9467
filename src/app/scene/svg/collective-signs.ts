import type { Point } from "../mark.ts";
import { element } from "./svg-writer.ts";

/**
 * The sign of each collective as strokes in a box of 12 by 12: its effect on the pieces of a
 * tensor.
 */
const signs: Readonly<Record<string, string>> = {
  "all-gather": "M6 2v8M4 6H1M2.5 4.5L1 6l1.5 1.5M8 6h3M9.5 4.5L11 6L9.5 7.5",
  "reduce-scatter": "M2 6h8M6 1v3M4.5 2.5L6 4l1.5-1.5M6 11V8M4.5 9.5L6 8l1.5 1.5",
  "all-reduce": "M9.5 3.5V2H2.5L6 6L2.5 10H9.5V8.5",
  "all-to-all":
    "M1 3h2l5 6h3M9.5 7.5L11 9l-1.5 1.5M1 9h2l1.5-1.8M6.5 4.8L8 3h3M9.5 1.5L11 3L9.5 4.5",
  "collective-permute": "M1 6h10M8.5 3.5L11 6L8.5 8.5",
  slice: "M6 1v2M6 5v2M6 9v2M1 3.5h3v5H1M11 3.5H8v5h3",
};

const both = "M11 3.5H1M3 1.5L1 3.5l2 2M1 8.5h10M9 6.5l2 2l-2 2";

/** The sign of a collective, with its upper left corner at a point. */
export function collectiveSign(collective: string, { x, y }: Point, stroke: string): string {
  const d = (Object.hasOwn(signs, collective) && signs[collective]) || both;
  const look = { fill: "none", stroke, "stroke-width": 1.3, "stroke-linejoin": "round" };
  return element("path", { d, transform: `translate(${x} ${y})`, ...look });
}
