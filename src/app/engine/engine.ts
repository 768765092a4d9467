import type { PlanDrawing } from "#app/scene/board";
import type { Diagnostic } from "#core/diagnostics";
import { createLruCache, type LruCache } from "#core/records";
import { type CompilerPort, Lane, tookTooLong } from "./lane.ts";
import type { CompiledAndPlaced, Questions } from "./protocol.ts";
import { type Message, type Question, questionOf, replyIn } from "./question.ts";
import type { Reply } from "./reply.ts";
import type { Timer } from "./worker-client.ts";

/** The compiler behind workers: edits on one, previews on another, so an edit never waits. */
export interface Engine {
  /** `hear` is told when the code of a compiler is there, and when it waits for more of it. */
  readonly onLoaded: (hear: (isLoaded: boolean) => void) => void;
  /**
   * Compiles the text on screen; a newer call supersedes an older one. A text compiled a moment
   * ago, as after an undo or by a gesture, is answered without the worker. For a text that takes
   * too long, the answer has one diagnostic that says so.
   */
  compile(
    source: string,
    open: readonly string[],
    drawing?: PlanDrawing,
  ): Promise<Reply<CompiledAndPlaced>>;
  /**
   * Asks anything else. A newer question supersedes older ones of its kind (for `assist`, of its
   * request's kind), but for `gesture` and `draw`, which are all answered, in order.
   */
  ask<Kind extends Exclude<keyof Questions, "compile">>(
    kind: Kind,
    asked: Questions[Kind]["takes"],
  ): Promise<Reply<Questions[Kind]["gives"]>>;
  /** Gives up all questions under way; they fail with the message `stopped`. */
  stop(): void;
  dispose(): void;
}

/** Makes an engine; `spawn` starts a compiler worker, at first and whenever one has died. */
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

/** The reply if a question ends without an answer; a compiler sends no news before it. */
const noAnswer: Reply<never> = { kind: "failed", message: "news in place of an answer" };

/** The worker that answers a question, and the topic of older questions that it supersedes. */
interface Route {
  readonly lane: "edits" | "previews";
  readonly topic?: string;
}

/**
 * The route of a question. The worker that has compiled the text on screen answers questions about
 * that text at once.
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
    // A layout of an older text would be worked out before this one.
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

/** Remembers the text that a gesture wrote, since it is compiled next. */
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

/** A text whose compilation was ended: an empty program, and a diagnostic that says so. */
function tooLong(source: string, { compiled }: CompiledAndPlaced): CompiledAndPlaced {
  const fault: Diagnostic = {
    code: "limits/too-long",
    severity: "error",
    message: "the text takes too long to work out and was stopped: the drawing shows an older one",
    span: { from: 0, to: 0 },
  };
  return { compiled: { ...compiled, source, diagnostics: [fault] } };
}
