import type { RunProgress } from "#app/engine";
import { useIsSlow } from "./use-is-slow.ts";

const stages: readonly RunProgress["stage"][] = [
  ...["reading", "adapter", "reference", "kernels", "devices", "comparison"],
] as const;

const stageNames: Readonly<Record<RunProgress["stage"], string>> = {
  reading: "reading the program",
  adapter: "looking for a GPU",
  reference: "computing it unsharded",
  kernels: "compiling the kernels",
  devices: "running every device",
  again: "the GPU was lost: running again on another device",
  comparison: "comparing every cell",
};

/** The progress of a run; still during the first moment, in which nobody waits. */
export function RunProgressBar({ progress }: { readonly progress: RunProgress }) {
  const isSlow = useIsSlow(true);
  const { stage, done, of } = progress;
  const counted = done === undefined || of === undefined ? "" : `, ${done} of ${of}`;
  const words = `${stageNames[stage]}${counted}`;
  const at = Math.max(0, stages.indexOf(stage));
  const share = done === undefined || of === undefined ? 0 : done / Math.max(1, of);
  return (
    <>
      <p className="mut">{isSlow ? `Running: ${words}` : "Running"}</p>
      {isSlow && (
        <div
          className="bar"
          role="progressbar"
          aria-label="Run"
          aria-valuemin={0}
          aria-valuemax={stages.length}
          aria-valuenow={at}
          aria-valuetext={words}
        >
          <i className="f-ink" style={{ width: `${(100 * (at + share)) / stages.length}%` }} />
        </div>
      )}
    </>
  );
}
