import { formatBytesDelta, formatSecondsDelta } from "#app/scene/text";
import type { Compiled } from "#compile";
import { letterOf } from "../compare/letters.ts";
import { useAsksForAny } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";

/** The differences of the plan's numbers from earlier ones, each with its sign and unit. */
export interface Change {
  /** The edit, or the baseline, from which the differences count. */
  readonly label: string;
  readonly isAgainstBaseline: boolean;
  /** `Against A`, or since when. */
  readonly head: string;
  readonly memory: string;
  readonly comm: string;
  readonly time: string;
}

/** The changes of the numbers by the last edit, or their differences from the baseline. */
export function useChange(compiled: Compiled | undefined): Change | undefined {
  const baseline = useApp((state) => state.baseline);
  const since = useApp((state) => state.since);
  const isKept = useAsksForAny();
  const letter = useApp(({ baselines }) => letterOf(baseline ? baselines.indexOf(baseline) : -1));
  const before =
    baseline === undefined
      ? since?.before
      : {
          peakBytes: baseline.compiled.memory.peakBytes,
          bytes: baseline.compiled.cost.bytes,
          seconds: baseline.compiled.cost.seconds,
        };
  const label = baseline?.name ?? since?.label;
  if (before === undefined || label === undefined || compiled === undefined) return undefined;
  if (isKept) return undefined;
  return {
    label,
    isAgainstBaseline: baseline !== undefined,
    head: baseline === undefined ? "Since" : `Against ${letter}`,
    memory: formatBytesDelta(compiled.memory.peakBytes - before.peakBytes),
    comm: formatBytesDelta(compiled.cost.bytes - before.bytes),
    time: formatSecondsDelta(compiled.cost.seconds - before.seconds),
  };
}
