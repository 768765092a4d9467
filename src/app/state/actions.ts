import type { PlanCode, Reply } from "#app/engine";
import type { LanguageReply, LanguageRequest } from "#app/language-service";
import { applyEdits, type Fix } from "#core/diagnostics";
import { joinTexts } from "#language/texts";
import { graphWords } from "#systems/graphs";
import { newestOf } from "./compiled-slice.ts";
import type { LessonDesk } from "./lesson-desk.ts";
import { isLessonText } from "./lesson-text.ts";
import { memoryLimitOf } from "./planning/index.ts";
import { createPublishedActions, type PublishedActions } from "./published-actions.ts";
import type { Services } from "./services.ts";
import { createSettingsActions, type SettingsActions } from "./settings-actions.ts";
import type { AppStore } from "./store.ts";
import { createTextActions, type TextActions } from "./text-actions.ts";

/** A user's edit of the graph in the text. */
type GraphEdit = Extract<LanguageRequest, { readonly kind: "edit-graph" }>["edit"];

/** The actions of menus and buttons that concern more than one slice. */
export interface Actions extends TextActions, PublishedActions, SettingsActions {
  /**
   * Loads the lesson desk, which opens lessons and guides through them. Rejects if its code cannot
   * be loaded.
   */
  readonly lessons: () => Promise<LessonDesk>;
  /** Opens a lesson; shows a notice if its code cannot be loaded. */
  readonly openLesson: (id: string) => void;
  /** Opens a lesson from the text of a file or a paste; returns whether the text is a lesson. */
  readonly openLessonText: (text: string) => boolean;
  /**
   * The program as graph text: whole operators (`op`) or their shards (`app`). Shows a notice about
   * lost parts.
   */
  readonly writeGraph: (dialect: "op" | "app") => Promise<string | undefined>;
  /** Replaces the text by a graph with a plan beside it, as one edit. */
  readonly becomeGraph: () => Promise<void>;
  /** Edits the graph in the text, as one edit; returns the reason if it cannot. */
  readonly editGraph: (edit: GraphEdit, label: string) => Promise<string | undefined>;
  /** Compiles the text again, after an internal fault or after `stopWork`. */
  readonly tryAgain: () => void;
  /** Stops all running work; the text and the last drawing stay. */
  readonly stopWork: () => void;
  readonly applyFix: (fix: Fix) => void;
  /**
   * Asks the language service about the present text; `undefined` where a newer question or another
   * text superseded the request.
   */
  readonly assist: (request: LanguageRequest) => Promise<LanguageReply | undefined>;
  /**
   * The plan as code of an engine (by default the first); `undefined` if a newer question or
   * another text superseded the request. Rejects on an internal fault.
   */
  readonly writeCode: (target: string | undefined) => Promise<PlanCode | undefined>;
  /**
   * Code of the fastest plan that an engine can express, or a phrase that says why there is none;
   * `undefined` if another text superseded the request. Rejects on an internal fault.
   */
  readonly writeNearest: (target: string) => Promise<PlanCode | string | undefined>;
  /** Renames the name at an offset, as one edit; returns the reason if it cannot. */
  readonly rename: (offset: number, name: string) => Promise<string | undefined>;
  /** Renames a mesh axis everywhere in the text, as one edit; returns the reason if it cannot. */
  readonly renameAxis: (axis: string, name: string) => Promise<string | undefined>;
}

/** The actions of a store. */
export function createActions(store: AppStore, services: Services): Actions {
  return {
    ...createTextActions(store, services),
    ...lessonActions(store, services),
    ...createPublishedActions(store, services),
    ...createSettingsActions(store, (request) => assist(store, services, request)),
    ...graphActions(store, services),
    ...codeActions(store, services),
    tryAgain: () => {
      const { document, compileSource } = store.getState();
      void compileSource(document.source, undefined);
    },
    stopWork: () => services.engine.stop(),
    applyFix: (fix) => {
      const { document, commit, compiled } = store.getState();
      if (newestOf(compiled)?.source !== document.source) return;
      commit(applyEdits(document.source, fix.edits), fix.title);
    },
    assist: (request) => assist(store, services, request),
    rename: (offset, name) => rename(store, services, { kind: "rename", offset, name }),
    renameAxis: (axis, name) => {
      const isAssumed = newestOf(store.getState().compiled)?.mesh.status === "assumed";
      return isAssumed
        ? store.getState().gesture({ kind: "rename-axis", axis, to: name })
        : rename(store, services, { kind: "rename-axis", axis, name });
    },
  };
}

/** Actions of lessons; their code is loaded when the first lesson opens. */
function lessonActions(
  store: AppStore,
  services: Services,
): Pick<Actions, "lessons" | "openLesson" | "openLessonText"> {
  let desk: LessonDesk | undefined;
  const lessons = async () => {
    const { createLessonDesk } = await import("./lesson-desk.ts");
    desk ??= createLessonDesk(store, services);
    return desk;
  };
  const withDesk = (act: (loaded: LessonDesk) => void) => {
    const text = "The lessons could not be loaded. Reload the page, then try again.";
    void lessons().then(act, () => store.getState().say({ kind: "refused", text }));
  };
  return {
    lessons,
    openLesson: (id) => withDesk(({ open }) => open(id)),
    openLessonText: (text) => {
      const isLesson = isLessonText(text);
      if (isLesson) withDesk(({ openText }) => openText(text));
      return isLesson;
    },
  };
}

/** Actions that write the program as a graph and edit a graph in the text. */
function graphActions(
  store: AppStore,
  services: Services,
): Pick<Actions, "writeGraph" | "becomeGraph" | "editGraph"> {
  return {
    writeGraph: async (dialect) => (await graphOf(store, services, dialect))?.text,
    becomeGraph: async () => {
      const graph = await graphOf(store, services, "op");
      if (graph === undefined) return;
      const joined = joinTexts(graph.text, graph.planText);
      store.getState().commit(joined, `Make it a ${graphWords.title}`);
    },
    editGraph: (edit, label) => editGraph(store, services, edit, label),
  };
}

/**
 * Actions that write the plan, or the fastest plan that an engine can express, as the engine's
 * code.
 */
function codeActions(
  store: AppStore,
  services: Services,
): Pick<Actions, "writeCode" | "writeNearest"> {
  let planner: ReturnType<NonNullable<Services["planner"]>> | undefined;
  const loadPlanner = () => {
    planner ??= services.planner?.();
    return planner;
  };
  const source = () => store.getState().document.source;
  /** The value of a reply; `undefined` if the text has changed since. */
  const replied = <T>(reply: Reply<T>, asked: string): T | undefined => {
    if (reply.kind === "failed") throw new Error(reply.message);
    return reply.kind === "done" && source() === asked ? reply.value : undefined;
  };
  return {
    writeCode: async (target) => {
      const asked = source();
      return replied(await services.engine.ask("code", { source: asked, target }), asked);
    },
    writeNearest: async (target) => {
      const asked = source();
      const loaded = await loadPlanner();
      if (loaded === undefined) return "no plans are searched here";
      const memoryLimit = memoryLimitOf(store.getState());
      const question = { source: asked, target, memoryLimit };
      return replied(await loaded.nearest.begin(question, () => {}), asked);
    },
  };
}

async function rename(
  store: AppStore,
  services: Services,
  request: LanguageRequest,
): Promise<string | undefined> {
  const reply = await assist(store, services, request);
  if (reply?.kind !== "rename") return "the text has changed: try again";
  if (!reply.outcome.ok) return reply.outcome.reason;
  const { document, commit } = store.getState();
  commit(applyEdits(document.source, reply.outcome.edits), reply.outcome.label);
  return undefined;
}

async function editGraph(
  store: AppStore,
  services: Services,
  edit: GraphEdit,
  label: string,
): Promise<string | undefined> {
  const reply = await assist(store, services, { kind: "edit-graph", edit });
  if (reply?.kind !== "edit-graph") return "the text has changed: try again";
  if (reply.edits === undefined) return "it is no longer in the text";
  const { document, commit } = store.getState();
  if (reply.edits.length > 0) commit(applyEdits(document.source, reply.edits), label);
  return undefined;
}

/** The text as a graph; shows a notice if parts could not be written unchanged. */
async function graphOf(store: AppStore, services: Services, dialect: "op" | "app") {
  const reply = await assist(store, services, { kind: "graph", dialect });
  if (reply?.kind !== "graph") return undefined;
  const { diagnostics } = reply.graph;
  const [first] = diagnostics;
  const more = diagnostics.length > 1 ? ` And ${diagnostics.length - 1} more.` : "";
  const text =
    first === undefined ? undefined : `Not all of it is in the graph: ${first.message}.${more}`;
  if (text !== undefined) store.getState().say({ kind: "refused", text });
  return reply.graph;
}

async function assist(
  store: AppStore,
  { engine }: Services,
  request: LanguageRequest,
): Promise<LanguageReply | undefined> {
  const { source } = store.getState().document;
  const reply = await engine.ask("assist", { source, request });
  if (reply.kind !== "done" || store.getState().document.source !== source) return undefined;
  return reply.value;
}
