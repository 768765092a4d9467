import { type AffineRow, type Box, lengthOf, type Projection } from "#core/indexspace";
import type { Form } from "./dim-form.ts";
import { counted } from "./document.ts";

/** An operand of an operation, with the form of each of its dims. */
export interface FormedOperand {
  readonly name: string;
  readonly isOutput: boolean;
  readonly projection: Projection;
  readonly forms: readonly Form[];
}

/** Why no annotation can express a split of an index axis, as the end of a sentence. */
export function frozenReason(
  axis: number,
  names: readonly string[],
  index: Box,
  operands: readonly FormedOperand[],
): string {
  for (const { name, projection, forms } of operands) {
    for (const [dim, form] of forms.entries()) {
      const row = projection[dim];
      if (row === undefined || !form.odd.includes(axis)) continue;
      return rowReason({ axis, names, index, row, what: `dim ${dim} of "${name}"` });
    }
  }
  for (const { name, isOutput, forms } of operands) {
    const count = forms.filter(({ axes }) => axes.includes(axis)).length;
    if (isOutput && count === 0) {
      return `"${name}" does not move with it, and a LoomGraph does not say how parts of "${name}" would combine`;
    }
    if (isOutput && count > 1) return `it moves several dims of "${name}" at once`;
  }
  return "";
}

interface OddRow {
  readonly axis: number;
  readonly names: readonly string[];
  readonly index: Box;
  readonly row: AffineRow;
  readonly what: string;
}

function rowReason({ axis, names, index, row, what }: OddRow): string {
  const { coefficients, extent } = row;
  const isLong = (at: number) => lengthOf(index[at] ?? { start: 0, stop: 1 }) > 1;
  const moving = [...coefficients.keys()].filter((at) => coefficients[at] !== 0 && isLong(at));
  const own = coefficients[axis] ?? 0;
  const [other] = moving.filter((at) => at !== axis);
  if (other !== undefined) {
    const terms = moving.map((at) => `${coefficients[at]}·${names[at] ?? at}`).join(" + ");
    return `it moves ${what} together with "${names[other] ?? other}" as no bracket does (${terms}, ${counted(extent, "cell")} each)`;
  }
  if (own < 0) return `it moves ${what} backwards, by ${-own}`;
  if (own > extent)
    return `it moves ${what} by ${own} over ${counted(extent, "cell")} each, which leaves gaps`;
  return `it moves a window of ${counted(extent, "cell")} of ${what} by ${own}, so that windows overlap`;
}
