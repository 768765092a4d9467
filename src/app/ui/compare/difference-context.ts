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

/** Difference of the drawn plan from the baseline; `undefined` if differences are not marked. */
export const DifferenceContext = createContext<PlanDifference | undefined>(undefined);

const markedBaseline = ({ baseline, marksDifference }: AppState) =>
  marksDifference ? baseline?.compiled : undefined;

/**
 * Difference of a plan from the baseline; `undefined` without a baseline or if marks are switched
 * off.
 */
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

/** Marks of differences from the baseline, placed on a board. */
export function useBoardMarks(compiled: Compiled, layout: BoardLayout): BoardMarks | undefined {
  const difference = useDifference(compiled);
  return useMemo(
    () => (difference === undefined ? undefined : boardMarks(compiled, layout, difference)),
    [compiled, layout, difference],
  );
}
