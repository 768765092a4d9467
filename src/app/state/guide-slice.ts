import type { StateCreator } from "zustand/vanilla";
import type { TextId } from "#app/texts";
import type { SettingsSlice } from "./settings-slice.ts";

/** The action that a hint suggests; the component that shows the hint has its words. */
export type HintKind = "edit" | "pick" | "step" | "costs" | "devices" | "plan";

export interface GuideSlice {
  /** Whether the welcome (the product and first steps) covers the plan. */
  readonly isWelcomeShown: boolean;
  /** How many hints of an example its reader has followed. */
  readonly followed: { readonly text: TextId; readonly count: number } | undefined;
  /** Takes the welcome away, for good. */
  readonly endWelcome: () => void;
  /** Goes on from the hints that were followed in a text to the next. */
  readonly followHint: (text: TextId, count: number) => void;
  /** Shows no more hints, in any plan. */
  readonly endHints: () => void;
}

/** The first minute: what stands there on a first visit, and how far its hints were followed. */
export function guideSlice(
  isFirstVisit: boolean,
): StateCreator<GuideSlice & SettingsSlice, [], [], GuideSlice> {
  return (set, get) => ({
    isWelcomeShown: isFirstVisit,
    followed: undefined,
    endWelcome: () => {
      set({ isWelcomeShown: false });
      get().set({ isWelcomed: true });
    },
    followHint: (text, count) => set({ followed: { text, count } }),
    endHints: () => get().set({ hasHints: false }),
  });
}

/** The hints of an example, one leading on to the next. */
const chains: Readonly<Record<string, readonly HintKind[]>> = {
  "two-matmuls": ["edit", "pick", "step", "plan"],
  "two-axes-one-dim": ["devices", "pick", "step"],
  "llama3-8b": ["costs", "pick", "plan"],
};

/** The hints of the example that a text began as; of another there are none. */
export function chainOf(name: string | undefined): readonly HintKind[] {
  return (name !== undefined && Object.hasOwn(chains, name) && chains[name]) || [];
}
