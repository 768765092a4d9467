import { canonicalLayout, type DimLayout, type Layout, type Part } from "#core/mesh";
import { type Digit, empty, type Frame, partOf, type State } from "./frame.ts";
import type { PrimeSubAxis } from "./prime-sub-axis.ts";

/**
 * A state as a layout: a locally held digit in front of a sub-axis is written as pieces, since it
 * is a local transpose away from an ordinary layout (redistribution.md §7.1.3).
 */
export function layoutOf(frame: Frame, state: State): Layout {
  const dims = frame.dims.map((digits): DimLayout => {
    const parts = digits.map((digit) => digitPart(frame, state, digit));
    const last = parts.findLastIndex((part) => part.kind === "axis");
    return { parts: parts.slice(0, last + 1), chunks: "flat" };
  });
  const moving = frame.subAxes.flatMap((subAxis, index) => {
    const reduce = frame.reduces[index];
    const isPartial = ((state.partials >> index) & 1) === 1;
    return isPartial && reduce !== undefined ? [{ subAxis, reduce }] : [];
  });
  const partials = [...frame.keptPartials, ...moving].map(({ subAxis, reduce }) => ({
    part: partOf(subAxis),
    reduce,
  }));
  return canonicalLayout({ mesh: frame.mesh, dims, partials });
}

/** The sub-axis that stands at a digit in a state, if any. */
function subAxisAt(frame: Frame, state: State, digit: Digit): PrimeSubAxis | undefined {
  if (digit.kind === "kept") return digit.subAxis;
  const subAxis = state.slots[digit.slot] ?? empty;
  return subAxis === empty ? undefined : frame.subAxes[subAxis];
}

function digitPart(frame: Frame, state: State, digit: Digit): Part {
  const subAxis = subAxisAt(frame, state, digit);
  return subAxis === undefined ? { kind: "pieces", count: digit.radix } : partOf(subAxis);
}
