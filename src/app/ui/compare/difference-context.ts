import { createContext, useMemo } from "react";
import type { BoardLayout } from "#app/scene/board";
import {
  type BoardMarks,
  boardMarks,
  type PlanDifference,
  planDifference,
} from "#app/scene/difference";
import type { AppState } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

/** The differences of the drawn plan from the baseline; undefined while they are not marked. */
export const DifferenceContext = createContext<PlanDifference | undefined>(undefined);

const markedBaseline = ({ baseline, marksDifference }: AppState) =>
  marksDifference ? baseline?.compiled : undefined;

/** The differences of a plan from the baseline, while the reader wants them marked. */
export function useDifference(compiled: Compiled | undefined): PlanDifference | undefined {
  const baseline = useApp(markedBaseline);
  return useMemo(
    () =>
      baseline === undefined || compiled === undefined
        ? undefined
        : planDifference(baseline, compiled),
    [baseline, compiled],
  );
}

/** The marks of differences from the baseline, placed on a board. */
export function useBoardMarks(compiled: Compiled, layout: BoardLayout): BoardMarks | undefined {
  const difference = useDifference(compiled);
  return useMemo(
    () => (difference === undefined ? undefined : boardMarks(compiled, layout, difference)),
    [compiled, layout, difference],
  );
}
