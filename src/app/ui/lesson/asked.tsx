import type { ReactNode } from "react";
import type { Ask } from "#app/lessons";
import type { Metric } from "#app/scene/text";
import type { AppState } from "#app/state";
import { useApp } from "../store-context.tsx";

/** Whether the open lesson asks for a figure of the plan on screen, and waits for the answer. */
export function useIsAsked(of: Metric): boolean {
  return useApp((state) => isAsked(state, of));
}

/** Whether the open lesson asks for any figure: then the change of figures is hidden as well. */
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

/** The open lesson's question about the plan on screen, until it is answered. */
export function openQuestion({ lesson: open, shownText: { from } }: Shown): Ask | undefined {
  if (open === undefined || from.kind !== "lesson" || from.name !== open.lesson.id)
    return undefined;
  return open.answers.has(open.at) ? undefined : open.lesson.steps[open.at]?.ask;
}

/** Shown instead of a sentence that would tell the sent bytes. */
export const bytesAsked = "The lesson asks how much is sent.";

interface Props {
  readonly of: Metric;
  readonly children: ReactNode;
}

/** The parts of a figure, or a sentence while a lesson asks for the figure. */
export function Unasked({ of, children }: Props) {
  return useIsAsked(of) ? <p>This is what the lesson asks.</p> : children;
}

/** A figure, or a question mark while a lesson asks for it. */
export function Asked({ of, children }: Props) {
  return useIsAsked(of) ? <span title="The lesson asks for it">?</span> : children;
}
