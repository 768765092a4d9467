import { commSummary, formatBytes, formatSeconds } from "#app/scene/text";
import { shown } from "#app/state";
import type { Compiled } from "#compile";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";
import { Loading } from "../atoms/Loading.tsx";
import { CompareSection } from "../compare/CompareSection.tsx";
import { ErrorWords } from "../evidence/StatedError.tsx";
import { bytesAsked, useIsAsked } from "../lesson/asked.tsx";
import { MemoryCurve } from "../memory/MemoryCurve.tsx";
import { RecomputeChoice } from "../memory/RecomputeChoice.tsx";
import { useApp } from "../store-context.tsx";
import { ItemsTable } from "../timeline/ItemsTable.tsx";
import { ModuleTimes } from "../timeline/ModuleTimes.tsx";
import { StepTimeline } from "../timeline/StepTimeline.tsx";
import { CommMeter, MemoryMeter, TimeMeter } from "./Meters.tsx";
import { StepFigures } from "./StepFigures.tsx";

/** The first three kinds of memory are always listed; the others only if they are not 0. */
const alwaysTold = 3;

/** The costs of the plan in full, for which the status bar has no room. */
export function CostsPanel({ hasMeters }: { readonly hasMeters: boolean }) {
  const compiled = useApp(shown);
  const isKept = useIsAsked("comm");
  if (compiled === undefined) return <Loading />;
  const { microbatches } = compiled.program;
  return (
    <section className="costs" aria-label="Costs">
      {hasMeters && (
        <>
          <MemoryMeter compiled={compiled} />
          <CommMeter compiled={compiled} />
          <TimeMeter compiled={compiled} />
        </>
      )}
      <div>
        <h3>Time</h3>
        <ErrorWords compiled={compiled} of="time" />
        <StepFigures compiled={compiled} />
        <StepTimeline compiled={compiled} height={184} />
        <ModuleTimes />
        <ItemsTable compiled={compiled} by="time" />
      </div>
      <Communication compiled={compiled} isKept={isKept} />
      <Memory compiled={compiled} />
      {microbatches !== undefined && (
        <p>
          {microbatches.count} micro-batches run one after the other: memory holds the results of
          one, communication and time count all.
        </p>
      )}
      <CompareSection compiled={compiled} />
    </section>
  );
}

interface CommunicationProps {
  readonly compiled: Compiled;
  /** Whether a lesson asks for the bytes; then they are hidden. */
  readonly isKept: boolean;
}

/** Bytes sent per device and time, by collective and mesh axes. */
function Communication({ compiled, isKept }: CommunicationProps) {
  const parts = commSummary(compiled.program, compiled.mesh.mesh);
  return (
    <div>
      <h3>Communication</h3>
      {isKept ? (
        <p>{bytesAsked}</p>
      ) : parts.length === 0 ? (
        <p>No device sends anything.</p>
      ) : (
        <FiguresTable head={["collective", "per device", "time"]}>
          {parts.map((part) => (
            <FiguresRow
              key={`${part.collective} ${part.axes.map(({ text }) => text).join(" ")}`}
              name={
                <>
                  {part.count} {part.collective}{" "}
                  {part.axes.map((tag) => (
                    <AxisChip key={tag.text} tag={tag} />
                  ))}
                </>
              }
              figures={[formatBytes(part.bytes), formatSeconds(part.seconds)]}
            />
          ))}
        </FiguresTable>
      )}
    </div>
  );
}

/** Memory of the fullest device: its curve over time, its kinds, and its peak. */
function Memory({ compiled }: { readonly compiled: Compiled }) {
  const { memory } = compiled;
  const held = [
    ["Parameters", memory.parameterBytes],
    ["Inputs", memory.inputBytes],
    ["Activations", memory.activationBytes],
    ["Gradients", memory.gradientBytes],
    ["Optimizer state", memory.optimizerBytes],
    ["Workspace", memory.workspaceBytes],
  ] as const;
  return (
    <div>
      <h3>Memory per device</h3>
      <ErrorWords compiled={compiled} of="memory" />
      <MemoryCurve compiled={compiled} />
      <RecomputeChoice compiled={compiled} />
      <FiguresTable>
        {held
          .filter(([, bytes], at) => at < alwaysTold || bytes > 0)
          .map(([name, bytes]) => (
            <FiguresRow key={name} name={name} figures={[formatBytes(bytes)]} />
          ))}
        <FiguresRow tone="on" name="Most at one moment" figures={[formatBytes(memory.peakBytes)]} />
      </FiguresTable>
    </div>
  );
}
