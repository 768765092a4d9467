import type { Compiled } from "#compile";
import type { CanvasEdge } from "./canvas.ts";
import { rangeText } from "./projection-images.ts";

/** What the operations of a LoomGraph select of their tensors. */
export interface EdgeRanges {
  /** Of an edge into an operator's card or out of it: `zr[0:10, 0:5]`. */
  readonly of: (edge: Pick<CanvasEdge, "from" | "to" | "tensor">) => string | undefined;
  /** Room that the longest text at each side of a card takes. */
  readonly inputWidth: number;
  readonly outputWidth: number;
}

/** In larger graphs only those are written that are not the whole tensor. */
const mostWritten = 40;

const characterWidth = 6.2;
const inset = 10;

/** The ranges to write on the edges; none in a program without selections. */
export function edgeRanges({ loom }: Pick<Compiled, "loom">): EdgeRanges {
  const texts = new Map<string, string>();
  const longest = { inputs: 0, outputs: 0 };
  const operations = loom?.operations ?? [];
  const isLarge = operations.length > mostWritten;
  for (const { operator, operands } of operations) {
    for (const { side, tensor, range, isWhole } of operands) {
      if (isWhole && isLarge) continue;
      const key = `${side} operator-${operator} ${tensor}`;
      const before = texts.get(key);
      const text = rangeText(range);
      const all = before === undefined || before === text ? text : `${before}, ${text}`;
      texts.set(key, all);
      longest[side] = Math.max(longest[side], all.length * characterWidth + inset);
    }
  }
  return {
    of: ({ from, to, tensor }) =>
      texts.get(`inputs ${to} ${tensor}`) ?? texts.get(`outputs ${from} ${tensor}`),
    inputWidth: longest.inputs,
    outputWidth: longest.outputs,
  };
}
