import type { Compiled } from "#compile";
import { rangeText } from "../index-space/projection-images.ts";
import type { CanvasEdge } from "./canvas.ts";

type EdgeEnds = Pick<CanvasEdge, "from" | "to" | "tensor">;

/** Ranges of tensors that the operations of a JSON graph read and write. */
export interface EdgeRanges {
  /** Range text of an edge into or out of an operator's card: `zr[0:10, 0:5]`. */
  readonly of: (edge: EdgeEnds) => string | undefined;
  /** Whether the range is the whole tensor and the graph is too large to show it from afar. */
  readonly isQuiet: (edge: EdgeEnds) => boolean;
  /** Width (px) of the longest text on each side of a card. */
  readonly inputWidth: number;
  readonly outputWidth: number;
}

/**
 * Number of operations up to which whole-tensor ranges are always shown; in larger graphs they
 * appear only at close zoom or for the selection.
 */
const mostLoud = 40;

const characterWidth = 6.2;
const inset = 10;

/** The ranges to write on the edges; empty for a program without JSON operations. */
export function edgeRanges({ imported }: Pick<Compiled, "imported">): EdgeRanges {
  const texts = new Map<string, string>();
  const longest = { inputs: 0, outputs: 0 };
  const operations = imported?.operations ?? [];
  const isLarge = operations.length > mostLoud;
  const loud = new Set<string>();
  for (const { operator, operands } of operations) {
    for (const { side, tensor, range, isWhole } of operands) {
      const key = `${side} operator-${operator} ${tensor}`;
      if (!isWhole || !isLarge) loud.add(key);
      const before = texts.get(key);
      const text = rangeText(range);
      const all = before === undefined || before === text ? text : `${before}, ${text}`;
      texts.set(key, all);
      longest[side] = Math.max(longest[side], all.length * characterWidth + inset);
    }
  }
  const keyOf = ({ from, to, tensor }: EdgeEnds) => {
    const into = `inputs ${to} ${tensor}`;
    return texts.has(into) ? into : `outputs ${from} ${tensor}`;
  };
  return {
    of: (edge) => texts.get(keyOf(edge)),
    isQuiet: (edge) => !loud.has(keyOf(edge)),
    inputWidth: longest.inputs,
    outputWidth: longest.outputs,
  };
}
