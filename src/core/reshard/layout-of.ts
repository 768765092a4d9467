import { canonicalLayout, type DimLayout, type Layout, type Part } from "#core/mesh";
import type { Atom } from "./atom.ts";
import { type Digit, empty, type Frame, partOf, type State } from "./frame.ts";

/**
 * A state as a layout: a locally held digit in front of an atom is written as pieces, since it is
 * a local transpose away from an ordinary layout (redistribution.md §7.1.3).
 */
export function layoutOf(frame: Frame, state: State): Layout {
  const dims = frame.dims.map((digits): DimLayout => {
    const parts = digits.map((digit) => digitPart(frame, state, digit));
    const last = parts.findLastIndex((part) => part.kind === "axis");
    return { parts: parts.slice(0, last + 1), chunks: "flat" };
  });
  const moving = frame.atoms.flatMap((atom, index) => {
    const reduce = frame.reduces[index];
    const isPartial = ((state.partials >> index) & 1) === 1;
    return isPartial && reduce !== undefined ? [{ atom, reduce }] : [];
  });
  const partials = [...frame.keptPartials, ...moving].map(({ atom, reduce }) => ({
    part: partOf(atom),
    reduce,
  }));
  return canonicalLayout({ mesh: frame.mesh, dims, partials });
}

/** The atom that stands at a digit in a state, if any. */
function atomAt(frame: Frame, state: State, digit: Digit): Atom | undefined {
  if (digit.kind === "kept") return digit.atom;
  const atom = state.slots[digit.slot] ?? empty;
  return atom === empty ? undefined : frame.atoms[atom];
}

function digitPart(frame: Frame, state: State, digit: Digit): Part {
  const atom = atomAt(frame, state, digit);
  return atom === undefined ? { kind: "pieces", count: digit.radix } : partOf(atom);
}
