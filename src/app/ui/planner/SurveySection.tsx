import { lazy, Suspense, useState } from "react";
import { shown } from "#app/state";
import {
  type FoundPlan,
  idleSurvey,
  type SurveyKind,
  type SurveyStatus,
} from "#app/state/planning";
import { useApp } from "../store-context.tsx";
import { Progress } from "./Progress.tsx";
import { SurveyTable } from "./SurveyTable.tsx";
import { pointsOf, type SurveyPoint } from "./survey-points.ts";
import { Unplanned } from "./Unplanned.tsx";
import { useDesk } from "./use-desk.ts";

const Scatter = lazy(async () => ({ default: (await import("./Scatter.tsx")).Scatter }));

/** Plans on other meshes and under limits of memory, as a drawing and as tables. */
export function SurveySection() {
  const { meshes: onMeshes = idleSurvey, limits: underLimits = idleSurvey } = useApp(
    (state) => state.surveys,
  );
  const [lit, setLit] = useState<string>();
  const apply = useApply();
  const meshes = pointsOf("meshes", onMeshes);
  const limits = pointsOf("limits", underLimits);
  const own = onMeshes.own ?? underLimits.own;
  const shared = { lit, onLight: setLit, onApply: apply };
  return (
    <details className="planner-part" data-testid="plan-surveys">
      <summary>Other meshes and memory</summary>
      <div>
        <DeviceCount />
        <SurveyProgress kind="meshes" status={onMeshes} />
        <SurveyProgress kind="limits" status={underLimits} />
        {meshes.length + limits.length > 0 && (
          <Suspense fallback={<div className="planner-scatter-room" />}>
            <Scatter points={[...meshes, ...limits]} own={own} {...shared} />
          </Suspense>
        )}
        <SurveyTable title="Meshes" points={meshes} own={own} {...shared} />
        <Unplanned status={onMeshes} />
        <SurveyTable title="Limits of memory on this mesh" points={limits} own={own} {...shared} />
      </div>
    </details>
  );
}

/** Writes a plan of a survey, and its mesh, into the text. */
function useApply(): (point: SurveyPoint) => void {
  const withDesk = useDesk();
  return ({ of, planned, name, kind }) => {
    const found: FoundPlan = { of, planned, whatIf: {} };
    const label = kind === "meshes" ? `Plan on mesh ${name}` : `Plan, ${name.toLowerCase()}`;
    withDesk((desk) => desk.apply(found, label));
  };
}

/** The number of devices of the meshes, and the buttons that begin the surveys. */
function DeviceCount() {
  const present = useApp((state) => shown(state)?.mesh.mesh.devices.length ?? 1);
  const [text, setText] = useState<string>();
  const withDesk = useDesk();
  const count = Number(text ?? present);
  const isCount = Number.isInteger(count) && count > 1 && count <= mostDevices;
  return (
    <form
      className="planner-surveys"
      onSubmit={(event) => {
        event.preventDefault();
        if (isCount) withDesk((desk) => void desk.surveyMeshes(count));
      }}
    >
      <label>
        Devices
        <input
          className="field"
          data-testid="survey-devices"
          inputMode="numeric"
          aria-invalid={!isCount}
          value={text ?? present}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" className="btn line" data-testid="survey-meshes" disabled={!isCount}>
        Plan every mesh
      </button>
      <button
        type="button"
        className="btn line"
        data-testid="survey-limits"
        onClick={() => withDesk((desk) => void desk.surveyLimits())}
      >
        Time against memory
      </button>
      {!isCount && <p className="bad">A number of devices, from 2 to {mostDevices}.</p>}
    </form>
  );
}

/** The most devices whose meshes can all be planned in reasonable time. */
const mostDevices = 65536;

interface ProgressProps {
  readonly kind: SurveyKind;
  readonly status: SurveyStatus;
}

/** The progress of a survey, or the reason why it found nothing. */
function SurveyProgress({ kind, status }: ProgressProps) {
  if (status.kind === "done" && status.note !== undefined) return <p>{status.note}</p>;
  if (status.kind !== "running") return null;
  const { done, total } = status;
  const words = kind === "meshes" ? "meshes" : "limits of memory";
  const text = total === 0 ? "Reading the program" : `${done} of ${total} ${words} planned`;
  const shared = { done, total, text, testId: "survey" };
  return (
    <Progress label={`Plans of ${words}`} {...shared} onStop={(desk) => desk.cancelSurvey()} />
  );
}
