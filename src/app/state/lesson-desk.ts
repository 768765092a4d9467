import {
  type Answer,
  type Lesson,
  lessonOf,
  modelOf,
  type Progress,
  printResult,
  readLesson,
  versionOf,
} from "#app/lessons";
import type { Shelf, ShownText } from "#app/texts";
import type { Compiled } from "#compile";
import { ownOpening } from "./address/opening.ts";
import { createLessonRecords, type LessonRecords } from "./lesson-records.ts";
import type { ChallengeScore, OpenLesson } from "./lesson-slice.ts";
import { lessonText, noLesson, openedLesson, showView, stepIn, textOfStep } from "./lesson-view.ts";
import type { Services } from "./services.ts";
import { noReaders } from "./shown-states.ts";
import type { AppStore } from "./store.ts";

/** The actions of buttons on lessons. */
export interface LessonDesk extends LessonRecords {
  /** Opens a lesson at a step, from 0; the plan on the board is one undo away. */
  readonly open: (id: string, at?: number) => void;
  /** Opens a lesson that is not part of the product. */
  readonly openOwn: (lesson: Lesson, at: number) => void;
  /** Opens a lesson from its JSON text; reports the reason if it cannot be read. */
  readonly openText: (json: string) => void;
  /** Shows a lesson under construction at a step, without changing the plan on the board. */
  readonly preview: (lesson: Lesson, at: number) => void;
  readonly goTo: (at: number) => void;
  /** Answers the question of the step on screen, once. */
  readonly answer: (answer: Answer) => void;
  /**
   * Records that the text on the board meets the goal of the step on screen; with a score for a
   * challenge.
   */
  readonly meet: (score?: ChallengeScore) => void;
  readonly showHint: () => void;
  /** Restores the board of the step's beginning, and clears the step's answer and goal. */
  readonly reset: () => void;
  /** Puts a text of the lesson on the board, as one edit. */
  readonly showText: (name: string) => void;
  /** Records the lesson as completed, after its last step. */
  readonly finish: () => void;
  /** Closes the lesson and restores the plan that was on the board before. */
  readonly leave: () => void;
  /** Compiles the texts of the open lesson, which its figures need. */
  readonly loadTexts: () => Promise<void>;
  /** A compiled text of a lesson; `undefined` if it cannot be compiled. */
  readonly compiled: (source: string) => Promise<Compiled | undefined>;
  /** The address of a result of the open lesson; `undefined` until its texts are compiled. */
  readonly resultLink: () => Promise<string | undefined>;
}

interface Before {
  readonly source: string;
  readonly shown: ShownText;
}

/** Creates the actions that open lessons on a page and lead through them. */
export function createLessonDesk(store: AppStore, services: Services): LessonDesk {
  const { add, ...records } = createLessonRecords(services.storage);
  return {
    ...records,
    ...createDoors(store, services),
    ...createSteps(store, services, add),
    finish: () => {
      const { lesson } = store.getState();
      if (lesson === undefined) return;
      add({ done: new Set([lesson.lesson.id]), stars: new Map() });
    },
    loadTexts: createLoadTexts(store, services),
    compiled: async (source) => {
      const reply = await services.engine.ask("compile-aside", { source });
      return reply.kind === "done" ? reply.value : undefined;
    },
    resultLink: () => resultLink(store, services),
  };
}

/** The actions that open and close lessons. */
function createDoors(
  store: AppStore,
  services: Services,
): Pick<LessonDesk, "open" | "openOwn" | "openText" | "preview" | "leave"> {
  /** The text on the board before the lesson; `undefined` if an address opened the lesson. */
  let before: Before | undefined;
  const remember = () => {
    const { shownText, document } = store.getState();
    if (shownText.from.kind !== "lesson") before = { source: document.source, shown: shownText };
  };
  const openOwn = (lesson: Lesson, at: number) => {
    remember();
    store.setState({ lesson: openedLesson(lesson, stepIn(lesson, at)) });
    showStep(store, services.shelf, true);
  };
  return {
    openOwn,
    open: (id, at = 0) => {
      const lesson = lessonOf(id);
      if (lesson !== undefined) return openOwn(lesson, at);
      store.getState().noteText({ kind: "no-lesson", why: noLesson(id) });
    },
    openText: (json) => {
      const read = readLesson(json.replace(/^\ufeff/u, ""));
      if (read.ok) return openOwn(read.lesson, 0);
      const why = `This lesson cannot be read: ${read.faults[0]}.`;
      store.getState().noteText({ kind: "no-lesson", why });
    },
    preview: (lesson, at) => {
      remember();
      const opened = openedLesson(lesson, stepIn(lesson, at));
      const shownText = lessonText(services.shelf, lesson, opened.at);
      store.setState({ lesson: opened, shownText });
    },
    leave: () => {
      const back = before ?? ownOpening(services.shelf);
      before = undefined;
      store.setState({ lesson: undefined });
      store.getState().openDocument(back.source, back.shown);
    },
  };
}

/** The actions that lead through the steps of the open lesson. */
function createSteps(
  store: AppStore,
  services: Services,
  add: (more: Progress) => void,
): Pick<LessonDesk, "goTo" | "answer" | "meet" | "showHint" | "reset" | "showText"> {
  const change = (changed: (open: OpenLesson) => Partial<OpenLesson>) => {
    const { lesson } = store.getState();
    if (lesson !== undefined) store.setState({ lesson: { ...lesson, ...changed(lesson) } });
  };
  return {
    goTo: (at) => {
      change(({ lesson }) => ({ at: stepIn(lesson, at), hints: 0 }));
      showStep(store, services.shelf, false);
    },
    answer: (answer) =>
      change(({ answers, at }) =>
        answers.has(at) ? {} : { answers: new Map(answers).set(at, answer) },
      ),
    meet: (score) => {
      const { lesson: opened, document } = store.getState();
      const known = opened?.met.get(opened.at);
      const isBetter = score === undefined || (known?.score?.share ?? 0) < score.share;
      if (opened === undefined || known?.text === document.source || !isBetter) return;
      const goal = { text: document.source, ...(score !== undefined && { score }) };
      change(({ met, at }) => ({ met: new Map(met).set(at, goal) }));
      if (score === undefined || lessonOf(opened.lesson.id) !== opened.lesson) return;
      add({ done: new Set(), stars: new Map([[opened.lesson.id, score.stars]]) });
    },
    showHint: () => change(({ hints }) => ({ hints: hints + 1 })),
    reset: () => {
      // The board is restored first; otherwise the earlier plan would meet the goal again at once.
      showStep(store, services.shelf, true);
      change(({ at, answers, met, resets }) => ({
        answers: new Map([...answers].filter(([step]) => step !== at)),
        met: new Map([...met].filter(([step]) => step !== at)),
        hints: 0,
        resets: resets + 1,
      }));
    },
    showText: (name) => {
      const { lesson, commit } = store.getState();
      const text = lesson?.lesson.texts[name];
      if (text !== undefined) commit(text, "Show a solution");
    },
  };
}

/** @param isWhole whether the board is also restored for a step that keeps the present text */
function showStep(store: AppStore, shelf: Shelf, isWhole: boolean): void {
  const state = store.getState();
  const { lesson: opened } = state;
  if (opened === undefined) return;
  const { lesson, at } = opened;
  const shown = lessonText(shelf, lesson, at);
  state.refuse(undefined);
  // The message about a failed action belongs to another step, and may offer an action there.
  state.say(undefined);
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

/** Most requests per text: a newer request supersedes an older one. */
const mostTries = 5;

/**
 * Shares one load between panels, since simultaneous requests of two panels would supersede each
 * other.
 */
function createLoadTexts(store: AppStore, services: Services): LessonDesk["loadTexts"] {
  let loading: { readonly lesson: Lesson; readonly done: Promise<void> } | undefined;
  return async () => {
    const lesson = store.getState().lesson?.lesson;
    if (lesson === undefined) return;
    if (loading?.lesson !== lesson) {
      const done = loadTexts(store, services).finally(() => {
        if (loading?.lesson === lesson) loading = undefined;
      });
      loading = { lesson, done };
    }
    await loading.done;
  };
}

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

/** Whether all texts of a lesson are compiled. */
function isWhole({ lesson, texts }: OpenLesson): boolean {
  return texts.size === Object.keys(lesson.texts).length;
}

async function resultLink(store: AppStore, { links }: Services): Promise<string | undefined> {
  const { lesson: opened } = store.getState();
  if (opened === undefined || !isWhole(opened)) return undefined;
  const { encodeText } = await links.load();
  return encodeText("result", resultOf(opened));
}

/** The answers and plans of an open lesson, as the text of a result. */
function resultOf({ lesson, texts, answers, met }: OpenLesson): string {
  return printResult({
    lesson: lesson.id,
    version: versionOf(lesson),
    model: modelOf(texts),
    answers: new Map([...answers].map(([at, answer]) => [at + 1, answer])),
    plans: new Map([...met].map(([at, { text }]) => [at + 1, text])),
  });
}
