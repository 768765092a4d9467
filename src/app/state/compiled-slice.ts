import type { StateCreator } from "zustand/vanilla";
import { type Engine, type Figures, figuresOf } from "#app/engine";
import type { Compiled } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { type Drawing, drawingOf } from "./drawing.ts";
import { type Placed, placedOf } from "./placed.ts";

/** What is known of the newest text. `shown` is the last version without errors, or the first. */
export type CompiledStatus =
  | { readonly kind: "compiling" }
  | { readonly kind: "ready"; readonly shown: Compiled }
  | { readonly kind: "stale"; readonly shown: Compiled; readonly newest: Compiled }
  | { readonly kind: "failed"; readonly message: string; readonly shown?: Compiled };

/** The numbers before the last edit, and what that edit was. */
export interface Since {
  readonly label: string;
  readonly before: Figures;
}

export interface CompiledSlice {
  readonly compiled: CompiledStatus;
  readonly drawing: Drawing | undefined;
  /** Compilations and gestures under way. */
  readonly pending: number;
  readonly since: Since | undefined;
  /** Compiles a text; `label` names the edit that made it. */
  readonly compileSource: (source: string, label: string | undefined) => Promise<void>;
  /** Forgets the last good version: another document has been opened. */
  readonly forgetCompiled: () => void;
}

/** Where things stand comes with what they are. */
interface Places {
  readonly openRuns: ReadonlySet<string>;
  readonly placed: Placed | undefined;
  readonly place: () => Promise<void>;
}

type Fields = CompiledSlice & Places;

/** What follows from the text, as the worker says. */
export function compiledSlice(engine: Engine): StateCreator<Fields, [], [], CompiledSlice> {
  return (set, get) => ({
    compiled: { kind: "compiling" },
    drawing: undefined,
    pending: 0,
    since: undefined,
    compileSource: async (source, label) => {
      set((state) => ({ pending: state.pending + 1 }));
      const { compiled, openRuns } = get();
      const before = shownOf(compiled);
      const reply = await engine.compile(source, [...openRuns]);
      const done = (state: Fields) => ({ pending: state.pending - 1 });
      if (reply.kind === "superseded") {
        set(done);
        return;
      }
      const status = statusAfter(get().compiled, reply);
      const since = sinceOf(before, status, label, get().since);
      const drawing = drawingOf(get().drawing, shownOf(status));
      const isDrawn = drawing === get().drawing;
      const layout = reply.kind === "done" ? reply.value.layout : undefined;
      const placed = isDrawn ? get().placed : placedOf(get().placed, drawing, layout);
      const isPlaced = isDrawn || (layout !== undefined && get().openRuns === openRuns);
      // One change, since every one asks all that is on the page whether it concerns them.
      set((state) => ({
        ...{ compiled: status, drawing, placed },
        ...(since !== undefined && { since }),
        ...(isPlaced && done(state)),
      }));
      if (isPlaced) return;
      void get().place();
      set(done);
    },
    forgetCompiled: () =>
      set({ compiled: { kind: "compiling" }, drawing: undefined, since: undefined }),
  });
}

/** The version on screen, if any. */
export function shownOf(status: CompiledStatus): Compiled | undefined {
  return status.kind === "compiling" ? undefined : status.shown;
}

/** The newest version, good or not. */
export function newestOf(status: CompiledStatus): Compiled | undefined {
  return status.kind === "stale" ? status.newest : shownOf(status);
}

function statusAfter(
  status: CompiledStatus,
  reply: Exclude<Awaited<ReturnType<Engine["compile"]>>, { kind: "superseded" }>,
): CompiledStatus {
  return reply.kind === "done"
    ? afterCompile(status, reply.value.compiled)
    : afterFault(status, reply.message);
}

function afterCompile(status: CompiledStatus, compiled: Compiled): CompiledStatus {
  const shown = shownOf(status);
  const isGood = !hasErrors(compiled.diagnostics);
  if (isGood || shown === undefined || hasErrors(shown.diagnostics)) {
    return { kind: "ready", shown: compiled };
  }
  return { kind: "stale", shown, newest: compiled };
}

function afterFault(status: CompiledStatus, message: string): CompiledStatus {
  const shown = shownOf(status);
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
