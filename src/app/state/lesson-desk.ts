import { type Answer, lessonOf } from "#app/lessons";
import type { Shelf, ShownText } from "#app/texts";
import type { Compiled } from "#compile";
import { isRecord } from "#core/records";
import { ownOpening } from "./address/opening.ts";
import type { OpenLesson } from "./lesson-slice.ts";
import { lessonText, noLesson, openedLesson, showView, stepIn, textOfStep } from "./lesson-view.ts";
import type { Services } from "./services.ts";
import { parsed } from "./settings-slice.ts";
import { noReaders } from "./shown-states.ts";
import type { AppStore } from "./store.ts";

/** What buttons do with lessons. */
export interface LessonDesk {
  /** Opens a lesson at a step, from 0; the plan on the board is one undo away. */
  readonly open: (id: string, at?: number) => void;
  readonly goTo: (at: number) => void;
  /** Answers the question of the step on screen, once. */
  readonly answer: (answer: Answer) => void;
  /** The goal of the step on screen is met. */
  readonly meet: () => void;
  readonly showHint: () => void;
  /** Puts the board back as the step begins, and asks again what it asks. */
  readonly reset: () => void;
  /** Puts a text of the lesson on the board, as one edit. */
  readonly showText: (name: string) => void;
  /** The last step is done: the lesson is kept as one that was gone through. */
  readonly finish: () => void;
  /** Closes the lesson; the plan that was on the board before is there again. */
  readonly leave: () => void;
  /** Compiles the texts of the open lesson, which its figures need. */
  readonly loadTexts: () => Promise<void>;
  /** A text of a lesson, compiled; nothing where that cannot be done. */
  readonly compiled: (source: string) => Promise<Compiled | undefined>;
  /** Ids of the lessons that were gone through to their end, in this browser. */
  readonly done: () => ReadonlySet<string>;
}

interface Before {
  readonly source: string;
  readonly shown: ShownText;
}

/** What opens lessons on a page and leads through them. */
export function createLessonDesk(store: AppStore, services: Services): LessonDesk {
  /** What was on the board before the lesson; nothing where an address opened it. */
  let before: Before | undefined;
  const change = (changed: (open: OpenLesson) => Partial<OpenLesson>) => {
    const { lesson } = store.getState();
    if (lesson !== undefined) store.setState({ lesson: { ...lesson, ...changed(lesson) } });
  };
  return {
    open: (id, at = 0) => {
      const lesson = lessonOf(id);
      const { shownText, document, noteText } = store.getState();
      if (lesson === undefined) return noteText({ kind: "no-lesson", why: noLesson(id) });
      if (shownText.from.kind !== "lesson") {
        before = { source: document.source, shown: shownText };
      }
      store.setState({ lesson: openedLesson(lesson, stepIn(lesson, at)) });
      showStep(store, services.shelf, true);
    },
    goTo: (at) => {
      change(({ lesson }) => ({ at: stepIn(lesson, at), hints: 0 }));
      showStep(store, services.shelf, false);
    },
    answer: (answer) =>
      change(({ answers, at }) =>
        answers.has(at) ? {} : { answers: new Map(answers).set(at, answer) },
      ),
    meet: () => change(({ met, at }) => ({ met: new Set(met).add(at) })),
    showHint: () => change(({ hints }) => ({ hints: hints + 1 })),
    reset: () => {
      change(({ at, answers, met }) => ({
        answers: new Map([...answers].filter(([step]) => step !== at)),
        met: new Set([...met].filter((step) => step !== at)),
        hints: 0,
      }));
      showStep(store, services.shelf, true);
    },
    showText: (name) => {
      const { lesson, commit } = store.getState();
      const text = lesson?.lesson.texts[name];
      if (text !== undefined) commit(text, "Show a solution");
    },
    finish: () => {
      const { lesson } = store.getState();
      if (lesson === undefined) return;
      const done = [...readDone(services.storage).add(lesson.lesson.id)];
      services.storage.write(lessonsKey, JSON.stringify({ done }));
    },
    leave: () => {
      const back = before ?? ownOpening(services.shelf);
      before = undefined;
      store.setState({ lesson: undefined });
      store.getState().openDocument(back.source, back.shown);
    },
    loadTexts: () => loadTexts(store, services),
    compiled: async (source) => {
      const reply = await services.engine.ask("compile-aside", { source });
      return reply.kind === "done" ? reply.value : undefined;
    },
    done: () => readDone(services.storage),
  };
}

/** @param isWhole whether the board is put back also where the step keeps what is on it */
function showStep(store: AppStore, shelf: Shelf, isWhole: boolean): void {
  const state = store.getState();
  const { lesson: opened } = state;
  if (opened === undefined) return;
  const { lesson, at } = opened;
  const shown = lessonText(shelf, lesson, at);
  state.refuse(undefined);
  const isKept = lesson.steps[at]?.show.text === undefined;
  const isOurs = state.shownText.from.kind === "lesson";
  if (isKept && isOurs && !isWhole) store.setState({ shownText: shown });
  else {
    const label = `Lesson: ${lesson.title}, step ${at + 1}`;
    state.commitOther(textOfStep(lesson, at), label, shown);
    store.setState({ readers: noReaders, textNote: undefined });
  }
  showView(store, opened);
}

/** How often a text is asked for: a newer question takes the place of an older one. */
const mostTries = 5;

async function loadTexts(store: AppStore, { engine }: Services): Promise<void> {
  const opened = store.getState().lesson;
  if (opened === undefined) return;
  for (const [name, source] of Object.entries(opened.lesson.texts)) {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const lesson = store.getState().lesson;
      if (lesson?.lesson !== opened.lesson) return;
      if (lesson.texts.has(name)) break;
      const reply = await engine.ask("compile-aside", { source });
      const now = store.getState().lesson;
      if (reply.kind !== "done" || now?.lesson !== opened.lesson) continue;
      store.setState({ lesson: { ...now, texts: new Map(now.texts).set(name, reply.value) } });
    }
  }
}

/** Where it is kept which lessons were gone through. */
const lessonsKey = "shardboard.lessons";

/** What was kept, as far as it is a list of ids. */
function readDone(storage: Services["storage"]): Set<string> {
  const kept = parsed(storage.read(lessonsKey));
  const done = isRecord(kept) ? kept["done"] : undefined;
  if (!Array.isArray(done)) return new Set();
  return new Set(done.filter((each) => typeof each === "string").slice(0, 1_000));
}
