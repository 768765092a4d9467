import type { StateCreator } from "zustand/vanilla";
import { type Engine, type Figures, figuresOf } from "#app/engine";
import { keepHues } from "#app/scene";
import { isDrawnByRows, type PlanDrawing } from "#app/scene/board";
import type { Compiled } from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { OpenDocument } from "./document-slice.ts";
import { type Drawing, drawingOf } from "./drawing.ts";
import { type LaidOutDrawing, laidOutDrawing } from "./laid-out-drawing.ts";
import { isSameProgram } from "./same-program.ts";
import type { Services } from "./services.ts";

/**
 * The state of compiling the newest text. `shown` is the last version of the same program without
 * errors, or its first version; it is absent for another program.
 */
export type CompiledStatus =
  | { readonly kind: "compiling" }
  | { readonly kind: "ready"; readonly shown: Compiled }
  | { readonly kind: "stale"; readonly shown: Compiled; readonly newest: Compiled }
  | { readonly kind: "failed"; readonly message: string; readonly shown?: Compiled };

/** The figures before the last edit, and the label of that edit. */
export interface Since {
  readonly label: string;
  readonly before: Figures;
}

export interface CompiledSlice {
  readonly compiled: CompiledStatus;
  /** Whether the compiler's code is loaded; nothing is computed before. */
  readonly isCompilerLoaded: boolean;
  readonly drawing: Drawing | undefined;
  /** Number of compilations and gestures under way. */
  readonly pending: number;
  readonly since: Since | undefined;
  /** Compiles a text; `label` names the edit that produced it. */
  readonly compileSource: (source: string, label: string | undefined) => Promise<void>;
  /** Forgets the last good version, after another document was opened. */
  readonly forgetCompiled: () => void;
}

/** Positions of the drawing, which change together with the drawing. */
interface Places {
  readonly openRuns: ReadonlySet<string>;
  readonly laidOut: LaidOutDrawing | undefined;
  readonly planDrawing: PlanDrawing | undefined;
  readonly place: () => Promise<void>;
}

type Fields = CompiledSlice & Places & { readonly document: OpenDocument };

/** Whether the program is trained, so that its graph has backward and update operators. */
export function isTrainingStep(compiled: Compiled | undefined): boolean {
  return compiled?.program.graph.operators.length !== compiled?.graph.operators.length;
}

/** State of the compiled text, set from the worker's answers. */
export function compiledSlice({
  engine,
  afterPaint = (then) => then(),
}: Pick<Services, "engine" | "afterPaint">): StateCreator<Fields, [], [], CompiledSlice> {
  return (set, get) => ({
    compiled: { kind: "compiling" },
    isCompilerLoaded: false,
    drawing: undefined,
    pending: 0,
    since: undefined,
    compileSource: async (source, label) => {
      set((state) => ({ pending: state.pending + 1 }));
      const { compiled, openRuns, planDrawing } = get();
      const before = shownOf(compiled);
      const reply = await engine.compile(source, [...openRuns], planDrawing);
      const done = (state: Fields) => ({ pending: state.pending - 1 });
      if (reply.kind === "superseded") {
        set(done);
        return;
      }
      const status = statusAfter(get().compiled, reply, source);
      const since = sinceOf(before, status, label, get().since);
      const shown = shownOf(status);
      if (before !== undefined && shown !== undefined && !isOther(before, status))
        keepHues(before.mesh.mesh, shown.mesh.mesh);
      const drawing = shown && drawingOf(get().drawing, shown);
      const isDrawn = drawing === get().drawing;
      const layout = reply.kind === "done" ? reply.value.layout : undefined;
      const last = drawing && get().laidOut;
      const laidOut = isDrawn ? get().laidOut : laidOutDrawing(last, drawing, layout);
      const isNewest = isDrawn || (layout !== undefined && get().openRuns === openRuns);
      const isPlaced = laidOut?.of === drawing?.drawn && isNewest;
      // A single state update, since each one runs every selector on the page.
      set((state) => ({
        ...{ compiled: status, drawing, laidOut },
        ...(since !== undefined && { since }),
        ...(isOther(before, status) && { since: undefined }),
        ...(isPlaced && done(state)),
      }));
      if (isPlaced) return;
      if (!isByRows(get())) {
        void get().place();
        return;
      }
      // A drawing by rows does not wait for the layout, which leaves both cores free for painting.
      // If the text has changed by then, the next answer requests a layout.
      const { document } = get();
      afterPaint(() => {
        if (get().document === document) void get().place();
        else set(done);
      });
    },
    forgetCompiled: () =>
      set({ compiled: { kind: "compiling" }, drawing: undefined, since: undefined }),
  });
}

function isByRows({ planDrawing, drawing }: Fields): boolean {
  if (planDrawing !== undefined) return planDrawing === "rows";
  return drawing !== undefined && isDrawnByRows(drawing.drawn);
}

/** The version on screen, if any. */
export function shownOf(status: CompiledStatus): Compiled | undefined {
  return status.kind === "compiling" ? undefined : status.shown;
}

/** The newest version, with or without errors. */
export function newestOf(status: CompiledStatus): Compiled | undefined {
  return status.kind === "stale" ? status.newest : shownOf(status);
}

function statusAfter(
  status: CompiledStatus,
  reply: Exclude<Awaited<ReturnType<Engine["compile"]>>, { kind: "superseded" }>,
  source: string,
): CompiledStatus {
  const last = shownOf(status);
  // After the text was replaced by another program, no older version is shown.
  const shown = last !== undefined && isSameProgram(last.source, source) ? last : undefined;
  return reply.kind === "done"
    ? afterCompile(shown, reply.value.compiled)
    : afterFault(shown, reply.message);
}

function afterCompile(shown: Compiled | undefined, compiled: Compiled): CompiledStatus {
  const isGood = !hasErrors(compiled.diagnostics) || isPage(compiled);
  if (isGood || shown === undefined || hasErrors(shown.diagnostics)) {
    return { kind: "ready", shown: compiled };
  }
  return { kind: "stale", shown, newest: compiled };
}

/**
 * Whether another text has replaced the program: a different program, or errors after a version
 * without errors.
 */
function isOther(before: Compiled | undefined, status: CompiledStatus): boolean {
  if (before === undefined || status.kind !== "ready") return false;
  const { source, diagnostics } = status.shown;
  if (!isSameProgram(before.source, source)) return true;
  return hasErrors(diagnostics) && !hasErrors(before.diagnostics);
}

/** A documentation page is not a version of a program, not even of a program that it quotes. */
function isPage({ diagnostics }: Compiled): boolean {
  return diagnostics.some(({ code }) => code === "document/page");
}

function afterFault(shown: Compiled | undefined, message: string): CompiledStatus {
  return shown === undefined ? { kind: "failed", message } : { kind: "failed", message, shown };
}

function sinceOf(
  before: Compiled | undefined,
  after: CompiledStatus,
  label: string | undefined,
  last: Since | undefined,
): Since | undefined {
  if (label === undefined || before === undefined || after.kind !== "ready") return undefined;
  if (label === "Typing" && last?.label === label) return last;
  return { label, before: figuresOf(before) };
}
