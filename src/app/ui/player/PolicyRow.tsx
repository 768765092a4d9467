import { formatBytes, formatSeconds } from "#app/scene";
import type { PolicyOutcome } from "#app/state";
import { FiguresRow } from "../atoms/FiguresTable.tsx";

interface Props {
  readonly outcome: PolicyOutcome;
  /** Bytes of our own plan, received by the busiest device. */
  readonly ours: number;
}

const names = {
  shardy: "Shardy",
  dtensor: "DTensor",
  mindspore: "MindSpore",
  nnscaler: "nnScaler",
} as const;

/** What each policy is, where its name alone would promise too much. */
const notes = {
  shardy: "Shardy's own lowering of reshards; JAX itself still leaves the lowering to XLA",
  dtensor: "DTensor's greedy planner, without flattened meshes",
  mindspore: "MindSpore's own operators, without AllToAll and before its compiler's clean-up pass",
  nnscaler: "nnScaler's adapter between two layouts on the same devices",
} as const;

/** One row of the table of steps: what another system would do on the same edge. */
export function PolicyRow({ outcome, ours }: Props) {
  const name = names[outcome.policy];
  if (outcome.kind === "declined") {
    return <FiguresRow tone="mut" name={`${name}: no plan`} hint={outcome.reason} />;
  }
  const steps = outcome.steps.map(({ collective, axes }) => `${collective} ${axes.join(", ")}`);
  const isMore = ours > 0 && outcome.bytes > ours;
  const times = Number((outcome.bytes / Math.max(ours, 1)).toPrecision(3));
  const count = `${outcome.steps.length} ${outcome.steps.length === 1 ? "step" : "steps"}`;
  return (
    <FiguresRow
      tone="mut"
      name={`${name}, ${count}${isMore ? `, ×${times}` : ""}`}
      hint={`${notes[outcome.policy]}: ${steps.join(", then ") || "slices only"}`}
      figures={[formatBytes(outcome.bytes), formatSeconds(outcome.seconds)]}
      data-testid={`policy-${outcome.policy}`}
      data-bytes={outcome.bytes}
    />
  );
}
