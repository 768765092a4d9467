import type { Group } from "./rows.ts";

/** The target accuracy of a group of rows: a median error, and a share of rows within an error. */
export interface Aim {
  readonly median: number;
  /** The error bound for `share` of the rows. */
  readonly near: number;
  /** Share of rows within `near`; 0 if only the median has a target. */
  readonly share: number;
}

export const aims: Readonly<Record<Group, Aim>> = {
  operators: { median: 0.08, near: 0.25, share: 0.9 },
  "operators with a backward pass": { median: 0.15, near: 0.25, share: 0 },
  steps: { median: 0.05, near: 0.1, share: 1 },
  "steps that the host limits": { median: 0.35, near: 0.35, share: 1 },
  "compiled steps": { median: 0.15, near: 0.25, share: 0 },
  "published steps": { median: 0.08, near: 0.15, share: 0.8 },
  "peak memory": { median: 0.02, near: 0.07, share: 1 },
  "memory after the forward pass": { median: 0.01, near: 0.05, share: 0 },
  "published memory": { median: 0.1, near: 0.1, share: 0 },
};
