import type { StateCreator } from "zustand/vanilla";
import type { OperatorId } from "#core/ir";
import type { CompiledSlice } from "./compiled-slice.ts";
import { shownOf } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import { type Linked, linkedAt, linkedOperators, linkedParts } from "./linked.ts";
import type { Selection } from "./view-slice.ts";

export interface LinkSlice {
  /** The part that is pointed at, in the text or on a drawing. */
  readonly linked: Linked | undefined;
  /** Highlights the parts made at an offset of the text; `undefined` clears the highlight. */
  readonly linkText: (offset: number | undefined) => void;
  /**
   * Highlights a part of a drawing, and its lines in the text; `undefined` clears the highlight.
   */
  readonly linkParts: (parts: Selection | undefined) => void;
  /**
   * Highlights several operators of the text, such as a module in a list; an empty list clears the
   * highlight.
   */
  readonly linkOperators: (name: string, operators: readonly OperatorId[]) => void;
}

type Fields = LinkSlice & Pick<DocumentSlice, "document"> & Pick<CompiledSlice, "compiled">;

/**
 * Transient record of the part that is pointed at, shared by the text, the canvas and all lists.
 */
export function linkSlice(): StateCreator<Fields, [], [], LinkSlice> {
  return (set, get) => {
    const show = (linked: Linked | undefined) => {
      if (linked === undefined && get().linked === undefined) return;
      set({ linked });
    };
    /**
     * The version on screen if it belongs to the text on screen; otherwise spans would not match.
     */
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
