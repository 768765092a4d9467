import type { StateCreator } from "zustand/vanilla";

export interface FoldSlice {
  /** Runs of equal blocks that are written out, by their keys; all others are drawn as one card. */
  readonly openRuns: ReadonlySet<string>;
  readonly openRun: (key: string) => void;
  readonly closeRun: (key: string) => void;
  readonly closeRuns: () => void;
}

const none: ReadonlySet<string> = new Set();

/** Which equal blocks are written out; part of no plan and of no undo. */
export function foldSlice(): StateCreator<FoldSlice> {
  return (set) => ({
    openRuns: none,
    openRun: (key) => set(({ openRuns }) => ({ openRuns: new Set(openRuns).add(key) })),
    closeRun: (key) =>
      set(({ openRuns }) => ({
        openRuns: new Set([...openRuns].filter((each) => each !== key)),
      })),
    closeRuns: () => set({ openRuns: none }),
  });
}
