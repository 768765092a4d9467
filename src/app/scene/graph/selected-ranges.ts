import type { Compiled } from "#compile";
import { rangeText } from "../index-space/projection-images.ts";
import type { CanvasEdge } from "./canvas.ts";

type EdgeEnds = Pick<CanvasEdge, "from" | "to" | "tensor">;

/** What the operations of a graph in JSON select of their tensors. */
export interface EdgeRanges {
  /** Of an edge into an operator's card or out of it: `zr[0:10, 0:5]`. */
  readonly of: (edge: EdgeEnds) => string | undefined;
  /** Whether that is all of the tensor, in a graph so large that this is worth no room from afar. */
  readonly isQuiet: (edge: EdgeEnds) => boolean;
  /** Room that the longest text at each side of a card takes. */
  readonly inputWidth: number;
  readonly outputWidth: number;
}

/**
 * The largest graph in which the ranges of whole tensors are always shown; in larger ones only
 * close up or for the selection.
 */
const mostLoud = 40;

const characterWidth = 6.2;
const inset = 10;

/** The ranges to write on the edges; none in a program without selections. */
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
