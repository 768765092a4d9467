import { Fragment, useMemo } from "react";
import { listOf } from "#app/scene/graph";
import { drawn } from "#app/state";
import type { Compiled } from "#compile";
import { planDrawingOf, VariantsLater } from "../board/PlanCanvas.tsx";
import { Hint } from "../canvas/Hint.tsx";
import { useReveal } from "../canvas/use-reveal.ts";
import { DifferenceLegend } from "../compare/DifferenceLegend.tsx";
import { useDifference } from "../compare/difference-context.ts";
import { RowDifference } from "../compare/RowDifference.tsx";
import { RunButton } from "../run/RunButton.tsx";
import { useApp } from "../store-context.tsx";
import { Starters } from "../top/Starters.tsx";
import { PhoneRow } from "./PhoneRow.tsx";
import { PhoneOtherOperator, PhoneWalk } from "./PhoneSteps.tsx";
import { PhoneTree } from "./PhoneTree.tsx";
import { PhoneUpstreamRun } from "./PhoneUpstreamRun.tsx";

/** Plan as a list from inputs to results; a tensor opens its dims. */
export function PhonePlan() {
  const compiled = useApp(drawn);
  const areVariants = useApp((state) => state.areVariantsShown);
  const isByRows = useApp((state) => planDrawingOf(state) === "rows");
  if (compiled === undefined) return null;
  if (areVariants) return <VariantsLater compiled={compiled} />;
  if (compiled.graph.tensors.length === 0) return <Starters />;
  return (
    <div className="list">
      <Hint isTouch />
      <DifferenceLegend />
      {isByRows ? <PhoneTree compiled={compiled} /> : <PhoneList compiled={compiled} />}
      <PhoneUpstreamRun />
      <section className="phone-check" aria-label="Run the plan">
        <PhoneWalk />
        <p className="mut">Runs it here, whole and on every device, and compares every cell.</p>
        <RunButton />
      </section>
    </div>
  );
}

/** Graph as a list, from its inputs to its results. */
function PhoneList({ compiled }: { readonly compiled: Compiled }) {
  const difference = useDifference(compiled);
  const openRuns = useApp((state) => state.openRuns);
  useReveal(useApp((state) => state.laidOut?.layout));
  const rows = useMemo(() => listOf(compiled, openRuns), [compiled, openRuns]);
  const listed = useMemo(
    () => new Set(rows.flatMap((row) => (row.kind === "operator" ? [row.operator] : []))),
    [rows],
  );
  return (
    <>
      {rows.map((row) => (
        <Fragment key={row.id}>
          <PhoneRow row={row} compiled={compiled} />
          {difference !== undefined && <RowDifference row={row} difference={difference} />}
        </Fragment>
      ))}
      <PhoneOtherOperator listed={listed} />
    </>
  );
}
