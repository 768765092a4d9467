import type { StoreApi } from "zustand/vanilla";
import type { Lesson } from "#app/lessons";
import { tensorId } from "#core/ir";
import type { AppState } from "./app-state.ts";
import type { OpenLesson } from "./lesson-slice.ts";

/** A step that there is. */
export function stepIn({ steps }: Lesson, at: number): number {
  return Math.max(0, Math.min(at, steps.length - 1));
}

/** The text with which a step begins: its own, or the last that was shown. */
export function textOfStep({ steps, texts }: Lesson, at: number): string {
  const name = steps.slice(0, at + 1).findLast(({ show }) => show.text !== undefined)?.show.text;
  return (name === undefined ? undefined : texts[name]) ?? "";
}

/** Looks at the board as a step says. */
export function showView(store: StoreApi<AppState>, { lesson, at }: OpenLesson): void {
  const show = lesson.steps[at]?.show ?? {};
  const { tensor, step, hop, panel, fault } = show;
  const selection = {
    ...(tensor !== undefined && { tensor: tensorId(tensor) }),
    ...(step !== undefined && { redistribution: step - 1 }),
  };
  store.setState({
    selection,
    chosen: selection,
    playedStep: undefined,
    isPlaying: false,
    hops: hop === undefined ? "logical" : "ring",
    frame: hop === undefined ? 1 : Math.max(0, hop * 3 - 1),
    ...(panel !== undefined && { sheetTab: panel }),
    isRunShown: panel === "run",
    plannedFault: fault,
  });
}
