import type { TextEdit } from "#core/diagnostics";
import type { Document } from "#language/document";
import { callArguments } from "#language/document/edit";
import type { ParallelSettings } from "#systems/settings";

/** What settings say in a text's last `train(…)`, as edits; nothing of a text without one. */
export function trainWords(document: Document, wanted: TrainWords): readonly TextEdit[] {
  const call = document.trace.training.at(-1);
  const { source } = document;
  if (call === undefined || !source.startsWith("train", call.span.from)) return [];
  const written = callArguments(source, call.span);
  const end = written.at(-1)?.span.to ?? call.span.to - 1;
  const texts = Object.entries(wanted).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  const changed = texts.flatMap(([name, text]): readonly TextEdit[] => {
    const known = written.find((each) => each.name === name);
    return known === undefined ? [] : [{ ...known.valueSpan, text }];
  });
  const added = texts.filter(([name]) => !written.some((each) => each.name === name));
  const text = added.map(([name, value]) => `, ${name}=${value}`).join("");
  return added.length === 0 ? changed : [...changed, { from: end, to: end, text }];
}

/** Words of `train(…)` by their names. */
export interface TrainWords {
  readonly zero?: number;
  readonly microbatches?: number;
  readonly recompute?: "full";
  readonly precision?: string;
  readonly gradients?: string;
}

/** What settings say of a step; its micro-batches also from how many sequences run at once. */
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
