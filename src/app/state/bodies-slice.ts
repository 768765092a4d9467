import type { StateCreator } from "zustand/vanilla";
import type { BodyChecker } from "#app/engine";
import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import { type CompiledStatus, newestOf } from "./compiled-slice.ts";

/**
 * The findings from running the bodies of a text's registered functions, combined with its other
 * diagnostics.
 */
export interface BodyFindings {
  readonly source: string;
  /** The other diagnostics of the text. */
  readonly beside: readonly Diagnostic[];
  readonly all: readonly Diagnostic[];
}

export interface BodiesSlice {
  readonly bodies: BodyFindings | undefined;
  /** Checks the bodies of the newest text's functions in the background, if it has any. */
  readonly askBodies: () => Promise<void>;
}

type Fields = BodiesSlice & { readonly compiled: CompiledStatus };

/** Findings about function bodies arrive late, so that no keystroke waits for them. */
export function bodiesSlice(
  checker: BodyChecker | undefined,
): StateCreator<Fields, [], [], BodiesSlice> {
  return (set, get) => ({
    bodies: undefined,
    askBodies: async () => {
      const newest = newestOf(get().compiled);
      if (checker === undefined || newest === undefined || !hasBodies(newest)) return;
      const { source } = newest;
      if (get().bodies?.source === source) return;
      const reply = await checker.check(source);
      const now = newestOf(get().compiled);
      if (reply.kind !== "done" || now?.source !== source) return;
      const beside = now.diagnostics;
      set({ bodies: { source, beside, all: inTextOrder([...beside, ...reply.value]) } });
    },
  });
}

/** Whether any operator is a function defined in the text. */
function hasBodies({ graph }: Compiled): boolean {
  return graph.operators.some(({ entry, of }) => entry === undefined && of === undefined);
}

function inTextOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const place = ({ span }: Diagnostic) => span?.from ?? Number.POSITIVE_INFINITY;
  return diagnostics.toSorted((a, b) => {
    const [from, to] = [place(a), place(b)];
    return from === to ? 0 : from - to;
  });
}
