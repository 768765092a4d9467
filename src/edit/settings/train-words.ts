import type { TextEdit } from "#core/diagnostics";
import type { Document } from "#language/document";
import type { ParallelSettings } from "#systems/settings";
import { trainCallEdits } from "../train-call.ts";

/** The edits that write settings into a text's last `train(…)`; empty for a text without one. */
export function trainWords(document: Document, wanted: TrainWords): readonly TextEdit[] {
  const texts = Object.entries(wanted).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  return trainCallEdits(document, Object.fromEntries(texts)) ?? [];
}

/** Arguments of `train(…)` by name. */
export interface TrainWords {
  readonly zero?: number;
  readonly microbatches?: number;
  readonly recompute?: "full";
  readonly precision?: string;
  readonly gradients?: string;
}

/**
 * Arguments of `train(…)` for settings; the number of microbatches may follow from the number of
 * sequences per run.
 */
export function trainWordsOf(settings: ParallelSettings, sharing: number): TrainWords {
  const {
    zero,
    recompute,
    precision,
    gradients,
    microbatches = runsOf(settings, sharing),
  } = settings;
  return {
    ...(zero !== undefined && { zero }),
    ...(microbatches !== undefined && microbatches > 1 && { microbatches }),
    ...(recompute === "full" && { recompute }),
    ...(precision !== undefined && { precision }),
    ...(gradients !== undefined && { gradients }),
  };
}

function runsOf(
  { globalBatch, localBatch }: ParallelSettings,
  sharing: number,
): number | undefined {
  if (globalBatch === undefined || localBatch === undefined) return undefined;
  const runs = globalBatch / (localBatch * sharing);
  return Number.isInteger(runs) ? runs : undefined;
}
