import type { ReactNode } from "react";
import type { Ask } from "#app/lessons";
import type { Metric } from "#app/scene/text";
import type { AppState } from "#app/state";
import { useApp } from "../store-context.tsx";

/** Whether the open lesson asks for a figure of the plan on screen and is not answered yet. */
export function useIsAsked(of: Metric): boolean {
  return useApp((state) => isAsked(state, of));
}

/** Whether the open lesson asks for any figure: then changes of figures are hidden too. */
export function useAsksForAny(): boolean {
  return useApp((state) => figures.some((figure) => isAsked(state, figure)));
}

const figures: readonly Metric[] = ["memory", "comm", "time"];

type Shown = Pick<AppState, "lesson"> & { readonly shownText: Pick<AppState["shownText"], "from"> };

/**
 * See `useIsAsked`.
 *
 * @internal
 */
export function isAsked(state: Shown, of: Metric): boolean {
  return openQuestion(state)?.hides?.includes(of) === true;
}

/**
 * Unanswered question of the open lesson about the plan on screen; `undefined` if there is none.
 */
export function openQuestion({ lesson: open, shownText: { from } }: Shown): Ask | undefined {
  if (open === undefined || from.kind !== "lesson" || from.name !== open.lesson.id)
    return undefined;
  return open.answers.has(open.at) ? undefined : open.lesson.steps[open.at]?.ask;
}

/** Text in place of a sentence that contains the sent bytes. */
export const bytesAsked = "The lesson asks how much is sent.";

interface Props {
  readonly of: Metric;
  readonly children: ReactNode;
}

/** Parts of a figure; a sentence in their place while a lesson asks for the figure. */
export function Unasked({ of, children }: Props) {
  return useIsAsked(of) ? <p>This is what the lesson asks.</p> : children;
}

/** Figure; a question mark in its place while a lesson asks for it. */
export function Asked({ of, children }: Props) {
  return useIsAsked(of) ? <span title="The lesson asks for it">?</span> : children;
}
