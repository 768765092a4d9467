import type { StateCreator } from "zustand/vanilla";
import type { Group } from "#app/evidence";

/** The shown measurements. */
export interface ShownEvidence {
  readonly group: Group;
  /** Words that the measurements' names must contain; empty shows all. */
  readonly words: string;
}

export interface EvidenceSlice {
  /** Absent while the page of measurements is closed. */
  readonly evidence: ShownEvidence | undefined;
  readonly openEvidence: (evidence: ShownEvidence | undefined) => void;
}

/** The page that compares measurements with the model: whether it is open, and its filter. */
export const evidenceSlice: StateCreator<EvidenceSlice> = (set) => ({
  evidence: undefined,
  openEvidence: (evidence) => set({ evidence }),
});
