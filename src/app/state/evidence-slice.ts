import type { StateCreator } from "zustand/vanilla";
import type { Group } from "#app/evidence";

/** The shown measurements. */
export interface ShownEvidence {
  readonly group: Group;
  /** Words that their names must contain; empty shows all. */
  readonly words: string;
}

export interface EvidenceSlice {
  /** Absent while the page of measurements is closed. */
  readonly evidence: ShownEvidence | undefined;
  readonly openEvidence: (evidence: ShownEvidence | undefined) => void;
}

/** The page of measurements beside the model: whether it is in sight, and what it shows. */
export const evidenceSlice: StateCreator<EvidenceSlice> = (set) => ({
  evidence: undefined,
  openEvidence: (evidence) => set({ evidence }),
});
