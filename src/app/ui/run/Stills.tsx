import type { ReactNode } from "react";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";
import { hasRunValues } from "./has-run-values.ts";
import { StepValues } from "./StepValues.tsx";

interface Props {
  /** The step, by its place among all steps of the program. */
  readonly place: number | undefined;
  /** Its drawing without values. */
  readonly children: ReactNode;
}

const choices = [
  ["slices", "Slices"],
  ["values", "Values"],
] as const;

/** The drawing of a step; after a run with the devices' numbers too. */
export function Stills({ place, children }: Props) {
  const hasValues = useApp(hasRunValues);
  const isWanted = useApp((state) => state.areValuesShown);
  const showValues = useApp((state) => state.showValues);
  if (!hasValues || place === undefined) return children;
  return (
    <>
      {isWanted ? <StepValues place={place} /> : children}
      <div className="stills-foot">
        <Segmented
          label="What is drawn of the step"
          choices={choices}
          value={isWanted ? "values" : "slices"}
          onChange={(choice) => showValues(choice === "values")}
        />
      </div>
    </>
  );
}
