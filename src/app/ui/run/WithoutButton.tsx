import { collectiveAt } from "#app/scene/text";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: number;
  /** The index of the collective in its redistribution. */
  readonly step: number;
}

/** Runs the plan without one collective, to show what goes wrong. */
export function WithoutButton({ compiled, redistribution, step }: Props) {
  const startRun = useApp((state) => state.startRun);
  const isCurrent = useApp((state) => state.document.source === compiled.source);
  const placed = collectiveAt(compiled.program, redistribution, step);
  if (placed === undefined) return null;
  return (
    <button
      type="button"
      className="btn line without-btn"
      data-testid="run-without"
      title={`Runs the program with this ${placed.collective} left out, to show which cell goes wrong`}
      disabled={!isCurrent}
      onClick={() => void startRun({ step: placed.step, how: "drop" })}
    >
      Run without this step
    </button>
  );
}
