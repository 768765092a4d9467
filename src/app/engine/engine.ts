import type { LanguageReply, LanguageRequest } from "#app/language-service";
import type { CanvasLayout, GalleryDrawing } from "#app/scene";
import type {
  AlternativeText,
  Compiled,
  EdgeComparison,
  Gesture,
  GestureOutcome,
  SystemRun,
  Weight,
} from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import { createLruCache } from "#core/records";
import { type CompilerPort, Lane, tookTooLong } from "./lane.ts";
import type { PlanCode } from "./plan-code.ts";
import type { Answer, Preview } from "./protocol.ts";
import { type Reply, replyFrom, unanswered } from "./reply.ts";
import type { Timer } from "./worker-client.ts";

/** What follows from a text, perhaps with its place on the canvas. */
export interface CompiledAndPlaced {
  readonly compiled: Compiled;
  readonly layout?: CanvasLayout;
}

/** The compiler behind workers: edits on one, previews on another, so an edit never waits. */
export interface Engine {
  /**
   * Compiles a text and says where everything stands, if that is quick and the text without
   * errors; a newer call supersedes an older one. What is known of a text that was there a moment
   * ago, as after an undo, is answered without the worker.
   */
  compile(source: string, open: readonly string[]): Promise<Reply<CompiledAndPlaced>>;
  /** Compiles a text that is not on screen; edits do not wait for it. */
  compileAside(source: string): Promise<Reply<Compiled>>;
  /**
   * What a gesture does to a text: in one of equal blocks to all of them, but in the runs of
   * `single`, by their keys, to that run alone.
   */
  gesture(
    source: string,
    gesture: Gesture,
    single: readonly string[],
  ): Promise<Reply<GestureOutcome>>;
  /** What each gesture would do and cost; a newer call supersedes an older one. */
  preview(
    source: string,
    gestures: readonly Gesture[],
    single: readonly string[],
  ): Promise<Reply<readonly Preview[]>>;
  /** What an editor asks of a text; a newer call of the same kind supersedes an older one. */
  assist(source: string, request: LanguageRequest): Promise<Reply<LanguageReply>>;
  /**
   * What a card of the gallery shows of a text, perhaps certain tensors of it; it waits behind
   * previews and questions.
   */
  draw(source: string, shows?: readonly string[]): Promise<Reply<GalleryDrawing>>;
  /** Texts that may do with less of a redistribution; a newer call supersedes an older one. */
  alternatives(source: string, redistribution: number): Promise<Reply<readonly AlternativeText[]>>;
  /** What a text costs, and redistributions of one tensor in it; no weight if it has errors. */
  weigh(source: string, tensor: TensorId): Promise<Reply<{ readonly weight: Weight | undefined }>>;
  /** The whole program as its own system would run it; none of a program of no one system. */
  upstreamRun(source: string): Promise<Reply<{ readonly run: SystemRun | undefined }>>;
  /**
   * The plan of a text as code of an engine, the first of all when unsaid; a newer call supersedes
   * an older one.
   */
  code(source: string, target: string | undefined): Promise<Reply<PlanCode>>;
  /** The sequences of steps that there are on an edge; a newer call supersedes an older one. */
  policies(source: string, redistribution: number): Promise<Reply<EdgeComparison>>;
  /** Where everything stands on the canvas; a newer call supersedes an older one. */
  layout(source: string, open: readonly string[]): Promise<Reply<CanvasLayout>>;
  /** Gives up everything under way: it fails with the message `stopped`. */
  stop(): void;
  dispose(): void;
}

/** Joins an engine to its workers; `spawn` starts one and is called again when one dies. */
export function createEngine(spawn: () => CompilerPort, timer: Timer): Engine {
  const hopeless: string[] = [];
  const edits = new Lane(spawn, timer, hopeless);
  const previews = new Lane(spawn, timer, hopeless);
  let last = 0;
  const nextId = () => {
    last += 1;
    return last;
  };
  // The worker that has just compiled a text knows its words already.
  const laneOf = ({ kind }: LanguageRequest) => (kind === "words" ? edits : previews);
  return {
    ...onEdits(edits, nextId),
    ...onPreviews(previews, nextId),
    assist: async (source, request) =>
      replyOf(
        await laneOf(request).ask({ kind: "assist", id: nextId(), source, request }, request.kind),
        (answer) => (answer.kind === "assisted" ? answer.reply : undefined),
      ),
    stop: () => {
      edits.stop();
      previews.stop();
    },
    dispose: () => {
      edits.dispose();
      previews.dispose();
    },
  };
}

/** So many of the last texts are remembered with what follows from them. */
const mostRemembered = 8;

/** What is asked of the text on screen, of the worker that knows it. */
function onEdits(
  edits: Lane,
  nextId: () => number,
): Pick<Engine, "compile" | "gesture" | "policies" | "layout"> {
  const recent = createLruCache<CompiledAndPlaced>(mostRemembered);
  return {
    compile: async (source, open) => {
      const key = JSON.stringify([source, open]);
      const known = recent.find(key);
      if (known !== undefined) {
        edits.supersede("compile");
        return { kind: "done", value: known };
      }
      const ask = async (text: string) =>
        replyOf(
          await edits.ask({ kind: "compile", id: nextId(), source: text, open }, "compile"),
          (answer) => (answer.kind === "compiled" ? answer : undefined),
        );
      const reply = await ask(source);
      if (reply.kind === "failed" && reply.message === tookTooLong) {
        const empty = await ask("");
        return empty.kind === "done" ? { ...empty, value: tooLong(source, empty.value) } : empty;
      }
      if (reply.kind === "done") recent.keep(key, reply.value);
      return reply;
    },
    gesture: async (source, gesture, single) =>
      replyOf(
        await edits.ask({ kind: "gesture", id: nextId(), source, gesture, single }),
        (answer) => (answer.kind === "gestured" ? answer.outcome : undefined),
      ),
    policies: async (source, redistribution) =>
      replyOf(
        await edits.ask({ kind: "policies", id: nextId(), source, redistribution }, "policies"),
        (answer) => (answer.kind === "policies" ? answer.comparison : undefined),
      ),
    layout: async (source, open) =>
      replyOf(
        await edits.ask({ kind: "layout", id: nextId(), source, open }, "layout"),
        (answer) => (answer.kind === "laid-out" ? answer.layout : undefined),
      ),
  };
}

/** What is said of a text whose compilation was ended: nothing follows from it but that. */
function tooLong(source: string, { compiled }: CompiledAndPlaced): CompiledAndPlaced {
  const fault: Diagnostic = {
    code: "limits/too-long",
    severity: "error",
    message: "the text takes too long to work out and was stopped: what is drawn is older",
    span: { from: 0, to: 0 },
  };
  return { compiled: { ...compiled, source, diagnostics: [fault] } };
}

/** What may take its time, and texts that are not on screen. */
function onPreviews(
  previews: Lane,
  nextId: () => number,
): Omit<Engine, keyof ReturnType<typeof onEdits> | "assist" | "stop" | "dispose"> {
  return {
    compileAside: async (source) =>
      replyOf(await previews.ask({ kind: "compile", id: nextId(), source }, "aside"), (answer) =>
        answer.kind === "compiled" ? answer.compiled : undefined,
      ),
    preview: async (source, gestures, single) =>
      replyOf(
        await previews.ask({ kind: "preview", id: nextId(), source, gestures, single }, "preview"),
        (answer) => (answer.kind === "previewed" ? answer.previews : undefined),
      ),
    draw: async (source, shows) =>
      replyOf(await previews.ask({ kind: "draw", id: nextId(), source, shows }), (answer) =>
        answer.kind === "drawn" ? answer.drawing : undefined,
      ),
    alternatives: async (source, redistribution) =>
      replyOf(
        await previews.ask(
          { kind: "alternatives", id: nextId(), source, redistribution },
          "alternatives",
        ),
        (answer) => (answer.kind === "alternatives" ? answer.texts : undefined),
      ),
    weigh: async (source, tensor) =>
      replyOf(
        await previews.ask({ kind: "weigh", id: nextId(), source, tensor }, "weigh"),
        (answer) => (answer.kind === "weighed" ? { weight: answer.weight } : undefined),
      ),
    upstreamRun: async (source) =>
      replyOf(
        await previews.ask({ kind: "upstream-run", id: nextId(), source }, "upstream-run"),
        (answer) => (answer.kind === "upstream-run" ? { run: answer.run } : undefined),
      ),
    code: async (source, target) =>
      replyOf(
        await previews.ask({ kind: "code", id: nextId(), source, target }, "code"),
        (answer) => (answer.kind === "code" ? answer.code : undefined),
      ),
  };
}

function replyOf<T>(answer: Answer, read: (answer: Answer) => T | undefined): Reply<T> {
  return answer.kind === "failed" ? unanswered(answer.message) : replyFrom(answer, read);
}
