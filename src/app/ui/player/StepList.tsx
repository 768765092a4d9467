import { memo, useDeferredValue, useMemo } from "react";
import { type RedistributionGroup, redistributionList } from "#app/scene";
import { type Compiled, drawn, shown } from "#app/state";
import { useApp } from "../store-context.tsx";
import type { Player } from "./use-player.ts";

/** Which redistribution of how many, and the list of all of them to go to one. */
export function StepList({ player }: { readonly player: Player }) {
  const compiled = useApp(shown);
  const listed = useDeferredValue(useApp(drawn));
  const select = useApp((state) => state.select);
  const { ordinal, count, index, operator } = player;
  const words = operator === undefined ? `${ordinal} of ${count}` : `${count} to send`;
  if (compiled === undefined || count === 1) return <span className="mut nowrap">{words}</span>;
  const goTo = (wanted: number) => {
    const next = compiled.program.redistributions.find((each) => each.index === wanted);
    if (next !== undefined) select({ redistribution: next.index, tensor: next.tensor });
  };
  return (
    <label className="step-list mut nowrap" title="All redistributions">
      <span aria-hidden="true">{words}</span>
      <select
        aria-label={`Redistribution, ${words}`}
        data-testid="step-list"
        value={operator === undefined ? index : ""}
        onChange={(event) => goTo(Number(event.currentTarget.value))}
      >
        {listed !== undefined && <Choices compiled={listed} />}
      </select>
    </label>
  );
}

const Choices = memo(function Choices({ compiled }: { readonly compiled: Compiled }) {
  const groups = useMemo(() => redistributionList(compiled.program), [compiled]);
  const [only, ...others] = groups;
  if (only !== undefined && others.length === 0) return <Lines group={only} />;
  return groups.map((group) => (
    <optgroup key={group.heading} label={group.heading}>
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
