import { memo, useDeferredValue, useMemo, useState } from "react";
import { displayNames } from "#app/scene";
import type { CanvasLayout } from "#app/scene/graph";
import { type RedistributionGroup, redistributionList } from "#app/scene/text";
import { shown } from "#app/state";
import type { Compiled } from "#compile";
import { useIsAsked } from "../lesson/asked.tsx";
import { useApp } from "../store-context.tsx";
import type { Player } from "./use-player.ts";

/** Most entries that are rendered at once; a longer list waits until it is hovered or focused. */
const mostAtOnce = 200;

/** Number of the redistribution, with a list to go to another one. */
export function StepList({ player }: { readonly player: Player }) {
  const compiled = useApp(shown);
  const listed = useDeferredValue(useApp((state) => state.laidOut));
  const select = useApp((state) => state.select);
  const [isWanted, setWanted] = useState(false);
  const { ordinal, count, index, operator } = player;
  const words = operator === undefined ? `${ordinal} of ${count}` : `${count} to send`;
  // Each entry of the list contains the sent bytes, which the lesson asks for.
  const isKept = useIsAsked("comm");
  if (compiled === undefined || count === 1 || isKept)
    return <span className="mut nowrap">{words}</span>;
  const goTo = (wanted: number) => {
    const next = compiled.program.redistributions.find((each) => each.index === wanted);
    if (next !== undefined) select({ redistribution: next.index, tensor: next.tensor });
  };
  const isWhole = isWanted || count <= mostAtOnce;
  const value = operator === undefined ? index : "";
  const turnTo = () => setWanted(true);
  return (
    <label className="step-list mut nowrap" title="All redistributions">
      <span aria-hidden="true">{words}</span>
      <select
        aria-label={`Redistribution, ${words}`}
        data-testid="step-list"
        value={value}
        onPointerEnter={turnTo}
        onPointerDown={turnTo}
        onFocus={turnTo}
        onChange={(event) => goTo(Number(event.currentTarget.value))}
      >
        {isWhole && listed !== undefined && (
          <Choices compiled={listed.of} runs={listed.layout.stepRuns} />
        )}
        {!isWhole && <option value={value}>{words}</option>}
      </select>
    </label>
  );
}

interface ChoicesProps {
  readonly compiled: Compiled;
  /** Runs of equal steps, found with the layout. */
  readonly runs: CanvasLayout["stepRuns"];
}

const Choices = memo(function Choices({ compiled, runs }: ChoicesProps) {
  const groups = useMemo(
    () => redistributionList(compiled.program, runs, displayNames(compiled)),
    [compiled, runs],
  );
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0) return <Lines group={only} />;
  return groups.map((group) => (
    <optgroup key={group.lines[0]?.redistribution} label={group.heading}>
      <Lines group={group} />
    </optgroup>
  ));
});

function Lines({ group }: { readonly group: RedistributionGroup }) {
  return group.lines.map(({ redistribution, text }) => (
    <option key={redistribution} value={redistribution}>
      {text}
    </option>
  ));
}
