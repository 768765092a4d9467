import type { StoreApi } from "zustand/vanilla";
import { type Lesson, lessonOf, readLesson } from "#app/lessons";
import { decodeText, type LinkView } from "#app/share";
import { freshText, type Shelf, type ShownText } from "#app/texts";
import { tensorId } from "#core/ir";
import type { AppState } from "./app-state.ts";
import type { MetGoal, OpenLesson } from "./lesson-slice.ts";

/** A step index clamped to the lesson's steps. */
export function stepIn({ steps }: Lesson, at: number): number {
  return Math.max(0, Math.min(at, steps.length - 1));
}

/** The text with which a step begins: its own, or that of the last step that shows one. */
export function textOfStep({ steps, texts }: Lesson, at: number): string {
  const name = steps.slice(0, at + 1).findLast(({ show }) => show.text !== undefined)?.show.text;
  return (name === undefined ? undefined : texts[name]) ?? "";
}

/** Sets the view of the board that a step prescribes. */
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

/** The opening that a lesson's address describes. */
interface LessonOpening {
  readonly source: string;
  readonly shown: ShownText;
  readonly view: LinkView;
  readonly lesson: OpenLesson;
}

/**
 * A lesson at one of its steps, from 1, for an address with its id or its JSON; else the reason why
 * there is none.
 */
export function lessonOpening(name: string, step: number, shelf: Shelf): ReadOpening {
  const json = lessonJson(name);
  if (json?.ok === false) return json;
  const read = json && readLesson(json.text);
  if (read?.ok === false) {
    return { ok: false, why: `The lesson of this link cannot be read: ${read.faults[0]}.` };
  }
  const lesson = read?.lesson ?? lessonOf(name);
  if (lesson === undefined) return { ok: false, why: noLesson(name) };
  const at = stepIn(lesson, step - 1);
  const opening = {
    source: textOfStep(lesson, at),
    shown: lessonText(shelf, lesson, at),
    view: {},
    lesson: openedLesson(lesson, at),
  };
  return { ok: true, opening };
}

/** The JSON of a lesson in an address, plain or encoded; `undefined` if the address has an id. */
function lessonJson(
  name: string,
): { readonly ok: true; readonly text: string } | { readonly ok: false; why: string } | undefined {
  if (name.startsWith("{")) return { ok: true, text: name };
  if (!name.includes(".")) return undefined;
  const read = decodeText("lesson", `#lesson=${name}`);
  if (read.kind === "text") return { ok: true, text: read.text };
  return { ok: false, why: `The lesson of this link cannot be read: ${read.message}.` };
}

type ReadOpening =
  | { readonly ok: true; readonly opening: LessonOpening }
  | { readonly ok: false; readonly why: string };

/** Message that no lesson has an id. */
export function noLesson(id: string): string {
  return `There is no lesson named “${id.slice(0, 64)}”.`;
}

/** The initial state of a lesson opened at one of its steps. */
export function openedLesson(lesson: Lesson, at: number): OpenLesson {
  const empty = { texts: new Map(), answers: new Map(), met: new Map<number, MetGoal>() };
  return { lesson, at, ...empty, hints: 0, resets: 0 };
}

/** The identity of a step's text on screen; it is not stored. */
export function lessonText(shelf: Shelf, lesson: Lesson, at: number): ShownText {
  const isOwn = lessonOf(lesson.id) === lesson;
  const json = isOwn ? {} : { json: JSON.stringify(lesson) };
  const from = { kind: "lesson" as const, name: lesson.id, step: at + 1, ...json };
  return freshText(shelf, from, lesson.title);
}
