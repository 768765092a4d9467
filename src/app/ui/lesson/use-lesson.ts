import { useEffect, useMemo } from "react";
import {
  type Facts,
  type Grade,
  gradeOf,
  type Score,
  scoreOf,
  type World,
  worldOf,
} from "#app/lessons";
import { framesOf, ringFramesOf } from "#app/scene/player";
import { type AppState, type OpenLesson, selectedRedistribution } from "#app/state";
import { isProven } from "#app/state/planning";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";
import { equalOf } from "./equal-of.ts";
import { useLessonDesk } from "./lesson-desk.ts";

/** The step of a lesson as its panel shows it. */
export interface LessonView {
  readonly opened: OpenLesson;
  /** The compiled plans that sentences and questions refer to; absent until they are compiled. */
  readonly world: World | undefined;
  /** The grade of the plan on the board; absent where the step has no goal, or nothing to grade. */
  readonly grade: Grade | undefined;
  /** The score of a challenge whose goal is met. */
  readonly score: Score | undefined;
  /** Whether the plan on the board is none of this lesson's. */
  readonly isElsewhere: boolean;
}

/** The open lesson, its texts, and the grade of the plan on the board at the present step. */
export function useLesson(): LessonView | undefined {
  const opened = useApp((state) => state.lesson);
  const { loadTexts } = useLessonDesk();
  const lesson = opened?.lesson;
  useEffect(() => {
    if (lesson !== undefined) void loadTexts();
  }, [lesson, loadTexts]);
  const isElsewhere = useApp(
    ({ shownText: { from } }) => from.kind !== "lesson" || from.name !== lesson?.id,
  );
  const facts = useFacts();
  const isWhole =
    opened !== undefined && opened.texts.size === Object.keys(opened.lesson.texts).length;
  const world = useMemo(
    () =>
      opened === undefined || !isWhole
        ? undefined
        : worldOf(opened.lesson, opened.at, opened.texts),
    [opened, isWhole],
  );
  const graded = useMemo(() => {
    const act = opened?.lesson.steps[opened.at]?.act;
    if (opened === undefined || act === undefined || facts === undefined || !isWhole)
      return undefined;
    const held = worldOf(opened.lesson, opened.at, opened.texts, facts);
    if (held === undefined) return undefined;
    const grade = gradeOf(act, held);
    return { grade, score: grade.isMet ? scoreOf(act, held) : undefined };
  }, [opened, facts, isWhole]);
  if (opened === undefined) return undefined;
  const { grade, score } = (isElsewhere ? undefined : graded) ?? {};
  return { opened, world, grade, score, isElsewhere };
}

/** The facts of the plan on the board, once its newest text has been compiled. */
function useFacts(): Facts | undefined {
  const compiled = useApp(newestCompiled);
  const place = useApp(viewKey);
  const isEqual = useApp(equalOf);
  const isOptimal = useApp(provenOf);
  return useMemo(() => {
    if (compiled === undefined) return undefined;
    const view = viewOf(place);
    return {
      compiled,
      ...(view !== undefined && { view }),
      ...(isEqual !== undefined && { isEqual }),
      ...(isOptimal !== undefined && { isProven: isOptimal }),
    };
  }, [compiled, place, isEqual, isOptimal]);
}

function newestCompiled({ compiled, document }: AppState): Compiled | undefined {
  if (compiled.kind === "compiling") return undefined;
  const newest = compiled.kind === "stale" ? compiled.newest : compiled.shown;
  return newest?.source === document.source ? newest : undefined;
}

/**
 * Whether the planner has proven the present text optimal; undefined where its plan is another, or
 * there is none.
 */
function provenOf({ planning, document }: AppState): boolean | undefined {
  if (planning.kind !== "done" || planning.planned.source !== document.source) return undefined;
  return isProven(planning.planned);
}

/** Which redistribution is on screen, and behind how many hops, as a text: `2 3`. */
function viewKey(state: AppState): string {
  const compiled = newestCompiled(state);
  const shown = selectedRedistribution(state);
  if (compiled === undefined || shown === undefined || state.playedStep !== undefined) return "";
  const at = compiled.program.redistributions.findIndex(({ index }) => index === shown.index);
  const framesIn = state.hops === "ring" ? ringFramesOf : framesOf;
  const last = Math.max(0, framesIn(compiled, shown.index).length * 3 - 1);
  const position = Math.min(state.frame, last);
  const hop = Math.floor(position / 3) + (position % 3 === 2 ? 1 : 0);
  return at < 0 ? "" : `${at + 1} ${hop}`;
}

function viewOf(key: string): Facts["view"] {
  const [step, hop] = key.split(" ").map(Number);
  return step === undefined || hop === undefined ? undefined : { step, hop };
}
