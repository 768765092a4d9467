import type { WhatIf } from "#app/engine";
import { formatBytes } from "#app/scene/text";
import { shown } from "#app/state";
import { type FoundPlan, memoryLimitOf, type PlanningStatus, timesText } from "#app/state/planning";
import type { Compiled } from "#compile";
import { useApp, useAppStore } from "../store-context.tsx";
import { Slider } from "./Slider.tsx";
import { logSteps, stepNear } from "./slider-steps.ts";
import { useDesk } from "./use-desk.ts";

/** Values on sliders: a plan is searched whenever they rest, and the text changes only at Apply. */
export function WhatIfSection() {
  const compiled = useApp(shown);
  const planning = useApp((state) => state.planning);
  const found = foundIn(planning);
  if (compiled === undefined) return null;
  return (
    <details className="planner-part" data-testid="plan-what-if">
      <summary>What if</summary>
      <div>
        <p className="mut">
          Slide a value: the plan is found again, and the text stays as it is until you apply.
        </p>
        <MemorySlider compiled={compiled} />
        <LinkSlider compiled={compiled} />
        {found !== undefined && <SizeSliders found={found} />}
      </div>
    </details>
  );
}

/** The last plan found, for any values. */
function foundIn(planning: PlanningStatus): FoundPlan | undefined {
  if (planning.kind === "done") return planning;
  return planning.kind === "idle" ? undefined : planning.last;
}

/** The steps of the memory slider. */
const memorySteps = 48;

function MemorySlider({ compiled }: { readonly compiled: Compiled }) {
  const limit = useApp(memoryLimitOf);
  const store = useAppStore();
  const { peakBytes } = compiled.memory;
  const most = Math.max(compiled.hardware.memoryBytes, peakBytes);
  const steps = logSteps(peakBytes / 16, most, memorySteps);
  const slide = (bytes: number) => {
    store.getState().limitMemory(bytes);
    void store.getState().startPlan();
  };
  return (
    <Slider
      name="Memory limit"
      testId="slide-memory"
      steps={steps}
      at={stepNear(steps, limit ?? most)}
      textOf={formatBytes}
      onSlide={slide}
    />
  );
}

/**
 * The steps of a speed slider: half an octave each, from 1/32 to 32 times the machine's own speed.
 */
const linkSteps = Array.from({ length: 21 }, (_, at) => 2 ** ((at - 10) / 2));

function LinkSlider({ compiled }: { readonly compiled: Compiled }) {
  const whatIf = useApp((state) => state.whatIf);
  const withDesk = useDesk();
  const own = linksOf(compiled);
  const textOf = (times: number) => {
    const all = own.map((bandwidth) => `${formatBytes(times * bandwidth)}/s`).join(", ");
    return times === 1 ? all : `${all}, ${timesText(times)}`;
  };
  return (
    <Slider
      name={own.length > 1 ? "Links, each" : "Links"}
      testId="slide-links"
      steps={linkSteps}
      at={stepNear(linkSteps, whatIf.bandwidth ?? 1)}
      textOf={textOf}
      onSlide={(bandwidth) => withDesk((desk) => void desk.tryValues({ ...whatIf, bandwidth }))}
    />
  );
}

/** The different speeds of the links along the axes of the mesh. */
function linksOf({ mesh, hardware }: Compiled): readonly number[] {
  const all = mesh.mesh.axes.map(({ link }) => (link ?? hardware.link).bandwidth);
  return [...new Set(all)].sort((a, b) => b - a);
}

/** Powers of two around the size in the text. */
const sizeFactors = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];

function SizeSliders({ found: { of, planned, whatIf: under } }: { readonly found: FoundPlan }) {
  const whatIf = useApp((state) => state.whatIf);
  const source = useApp((state) => state.document.source);
  const withDesk = useDesk();
  return planned.sizes.map(({ kind, of: inputs, value }) => {
    // After Apply the text has the size that the plan was found for.
    const now = source === of ? value : (under.sizes?.[kind] ?? value);
    const steps = sizeFactors.map((factor) => factor * now).filter(Number.isInteger);
    const next = (size: number): WhatIf => ({
      ...whatIf,
      sizes: { ...whatIf.sizes, [kind]: size },
    });
    return (
      <Slider
        key={kind}
        name={`${kind === "batch" ? "Batch" : "Sequence"} of ${inputs.join(", ")}`}
        testId={`slide-${kind}`}
        steps={steps}
        at={stepNear(steps, whatIf.sizes?.[kind] ?? now)}
        textOf={String}
        onSlide={(size) => withDesk((desk) => void desk.tryValues(next(size)))}
      />
    );
  });
}
