import type { StateCreator } from "zustand/vanilla";
import type { OperatorId } from "#core/ir";
import type { CompiledSlice } from "./compiled-slice.ts";
import { shownOf } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import { type Linked, linkedAt, linkedOperators, linkedParts } from "./linked.ts";
import type { Selection } from "./view-slice.ts";

export interface LinkSlice {
  /** The part that is pointed at now, in the text or on a drawing. */
  readonly linked: Linked | undefined;
  /** Points at the parts made by a place of the text; at nothing without one. */
  readonly linkText: (offset: number | undefined) => void;
  /** Points at a part of a drawing, whose lines light up in the text; at nothing without one. */
  readonly linkParts: (parts: Selection | undefined) => void;
  /** Points at operators of the text together, as a module in a list is; at nothing without any. */
  readonly linkOperators: (name: string, operators: readonly OperatorId[]) => void;
}

type Fields = LinkSlice & Pick<DocumentSlice, "document"> & Pick<CompiledSlice, "compiled">;

/** One transient record of what is pointed at, for the text, the canvas and all lists. */
export function linkSlice(): StateCreator<Fields, [], [], LinkSlice> {
  return (set, get) => {
    const show = (linked: Linked | undefined) => {
      if (linked === undefined && get().linked === undefined) return;
      set({ linked });
    };
    /** The version on screen, while it is of the text on screen: only then places mean the same. */
    const current = () => {
      const { compiled, document } = get();
      const shown = shownOf(compiled);
      return shown?.source === document.source ? shown : undefined;
    };
    return {
      linked: undefined,
      linkText: (offset) => {
        const compiled = current();
        show(
          offset === undefined || compiled === undefined ? undefined : linkedAt(compiled, offset),
        );
      },
      linkParts: (parts) => {
        const compiled = current();
        show(
          parts === undefined || compiled === undefined ? undefined : linkedParts(compiled, parts),
        );
      },
      linkOperators: (name, operators) => {
        const compiled = current();
        const isNone = compiled === undefined || operators.length === 0;
        show(isNone ? undefined : linkedOperators(compiled, name, operators));
      },
    };
  };
}
