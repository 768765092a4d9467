import type { Mark } from "../mark.ts";
import type { DrawnDims } from "./drawn-dims.ts";
import type { Panel } from "./panels.ts";

/** Largest number of blocks that can be counted at a glance. */
const mostAtAGlance = 8;
const characterWidth = 6.2;
const [leastWidth, leastHeight] = [22, 18];

/** The number of blocks along a side, written in the last corner if there are too many to count. */
export function countMarks(dims: DrawnDims, panels: readonly Panel[]): readonly Mark[] {
  const rect = panels.at(-1)?.rect;
  const counts = [dims.rows, dims.columns]
    .map(({ slots }) => slots.slots.length)
    .filter((count) => count > 1);
  if (rect === undefined || Math.max(0, ...counts) <= mostAtAGlance) return [];
  const text = counts.join("×");
  const isFitting = rect.width >= text.length * characterWidth + 8 && rect.height >= leastHeight;
  if (!isFitting || rect.width < leastWidth) return [];
  const at = { x: rect.x + rect.width - 3, y: rect.y + rect.height - 4 };
  return [{ kind: "text", role: "text", at, text, anchor: "end", style: "id" }];
}
