import type { StateCreator } from "zustand/vanilla";
import type { TextId } from "#app/texts";
import type { SettingsSlice } from "./settings-slice.ts";

/** The action that a hint suggests; the component that shows the hint has its words. */
export type HintKind = "edit" | "pick" | "step" | "costs" | "devices" | "plan";

export interface GuideSlice {
  /** Whether the welcome (the product and first steps) covers the plan. */
  readonly isWelcomeShown: boolean;
  /** Number of hints of an example that its reader has followed. */
  readonly followed: { readonly text: TextId; readonly count: number } | undefined;
  /** Closes the welcome for good. */
  readonly endWelcome: () => void;
  /** Records the number of hints followed in a text. */
  readonly followHint: (text: TextId, count: number) => void;
  /** Shows no more hints, in any plan. */
  readonly endHints: () => void;
}

/** The first minute: the welcome on a first visit, and the progress through its hints. */
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

/** The hints of an example, in order. */
const chains: Readonly<Record<string, readonly HintKind[]>> = {
  "two-matmuls": ["edit", "pick", "step", "plan"],
  "two-axes-one-dim": ["devices", "pick", "step"],
  "llama3-8b": ["costs", "pick", "plan"],
};

/** The hints of the example that a text began as; empty for any other text. */
export function exampleHints(name: string | undefined): readonly HintKind[] {
  return (name !== undefined && Object.hasOwn(chains, name) && chains[name]) || [];
}
