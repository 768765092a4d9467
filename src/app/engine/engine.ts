import type { PlanDrawing } from "#app/scene/board";
import type { Diagnostic } from "#core/diagnostics";
import { createLruCache, type LruCache } from "#core/records";
import { type CompilerPort, Lane, tookTooLong } from "./lane.ts";
import type { CompiledAndPlaced, Questions } from "./protocol.ts";
import { type Message, type Question, questionOf, replyIn } from "./question.ts";
import type { Reply } from "./reply.ts";
import type { Timer } from "./worker-client.ts";

/**
 * Client of the compiler workers: one for edits, another for previews, so that no edit waits for a
 * preview.
 */
export interface Engine {
  /**
   * Registers a listener for the compiler's code: true once it is loaded, false while more must
   * load.
   */
  readonly onLoaded: (hear: (isLoaded: boolean) => void) => void;
  /**
   * Compiles the text on screen; a newer call supersedes an older one. Recently compiled texts,
   * such as after an undo or a gesture, are answered from a cache. A text that exceeds the time
   * limit gets an empty program with one diagnostic.
   */
  compile(
    source: string,
    open: readonly string[],
    drawing?: PlanDrawing,
  ): Promise<Reply<CompiledAndPlaced>>;
  /**
   * Asks any other question. A newer question supersedes older ones of its kind (for `assist`, of
   * its request's kind). `gesture` and `draw` are always answered, in order.
   */
  ask<Kind extends Exclude<keyof Questions, "compile">>(
    kind: Kind,
    asked: Questions[Kind]["takes"],
  ): Promise<Reply<Questions[Kind]["gives"]>>;
  /** Cancels all pending questions; they fail with the message `stopped`. */
  stop(): void;
  dispose(): void;
}

/** Creates an engine; `spawn` starts a compiler worker, initially and after one has died. */
export function createEngine(spawn: () => CompilerPort, timer: Timer): Engine {
  const hopeless: string[] = [];
  let hear = (_isLoaded: boolean) => {};
  const lanes = {
    edits: new Lane(spawn, timer, hopeless, (isLoaded) => hear(isLoaded)),
    previews: new Lane(spawn, timer, hopeless),
  };
  const recent = createLruCache<CompiledAndPlaced>(mostRemembered);
  let last = 0;
  const ask = async <Kind extends keyof Questions>(kind: Kind, asked: Questions[Kind]["takes"]) => {
    last += 1;
    const question = questionOf<Questions, Kind>(last, kind, asked);
    const { lane, topic } = routeOf(question);
    const message = await lanes[lane].ask(question, topic);
    if (question.kind === "gesture") keepNext(recent, question.asked, message);
    return replyIn(message, kind) ?? noAnswer;
  };
  return {
    onLoaded: (listener) => {
      hear = listener;
    },
    compile: rememberingCompile(ask, lanes.edits, recent),
    ask,
    stop: () => {
      for (const lane of Object.values(lanes)) lane.stop();
    },
    dispose: () => {
      for (const lane of Object.values(lanes)) lane.dispose();
    },
  };
}

/**
 * Reply to a question that ends without an answer; compilers send no news, so this should not
 * occur.
 */
const noAnswer: Reply<never> = { kind: "failed", message: "news in place of an answer" };

/** Worker that answers a question, and the topic whose older questions it supersedes. */
interface Route {
  readonly lane: "edits" | "previews";
  readonly topic?: string;
}

/**
 * Route of a question. Those about the text on screen go to the worker that has it compiled
 * already.
 */
function routeOf(question: Question<Questions>): Route {
  const { kind } = question;
  switch (kind) {
    case "compile":
    case "policies":
    case "layout":
      return { lane: "edits", topic: kind };
    case "gesture":
      return { lane: "edits" };
    case "draw":
      return { lane: "previews" };
    case "assist": {
      const topic = question.asked.request.kind;
      return { lane: isOfEveryEdit(topic) ? "edits" : "previews", topic };
    }
    default:
      return { lane: "previews", topic: kind };
  }
}

/**
 * Whether a request follows every edit of the text on screen: another worker would have to read the
 * text again.
 */
function isOfEveryEdit(kind: Questions["assist"]["takes"]["request"]["kind"]): boolean {
  return kind === "words" || kind === "folds";
}

/** The number of compiled texts that are remembered. */
const mostRemembered = 8;

function rememberingCompile(
  ask: (kind: "compile", asked: Questions["compile"]["takes"]) => Promise<Reply<CompiledAndPlaced>>,
  edits: Lane,
  recent: LruCache<CompiledAndPlaced>,
): Engine["compile"] {
  return async (source, open, drawing) => {
    const key = keyOf({ source, open, drawing });
    // Otherwise a layout of an older text would be computed before this compilation.
    edits.supersede("layout");
    const known = recent.find(key);
    if (known !== undefined) {
      edits.supersede("compile");
      return { kind: "done", value: known };
    }
    const reply = await ask("compile", { source, open, drawing });
    if (reply.kind === "failed" && reply.message === tookTooLong) {
      const empty = await ask("compile", { source: "", open, drawing });
      return empty.kind === "done" ? { ...empty, value: tooLong(source, empty.value) } : empty;
    }
    if (reply.kind === "done") recent.keep(key, reply.value);
    return reply;
  };
}

/** Caches the text that a gesture has written, since the page compiles it next. */
function keepNext(
  recent: LruCache<CompiledAndPlaced>,
  asked: Questions["gesture"]["takes"],
  message: Message<Questions>,
): void {
  if (!("answer" in message) || message.kind !== "gesture") return;
  const { outcome, next } = message.answer;
  if (outcome.ok && next !== undefined)
    recent.keep(keyOf({ ...asked, source: outcome.source }), next);
}

function keyOf({ source, open, drawing }: Questions["compile"]["takes"]): string {
  return JSON.stringify([source, open, drawing]);
}

/** Result for a text over the time limit: an empty program with one diagnostic. */
function tooLong(source: string, { compiled }: CompiledAndPlaced): CompiledAndPlaced {
  const fault: Diagnostic = {
    code: "limits/too-long",
    severity: "error",
    message: "the text takes too long to work out and was stopped: the drawing shows an older one",
    span: { from: 0, to: 0 },
  };
  return { compiled: { ...compiled, source, diagnostics: [fault] } };
}
