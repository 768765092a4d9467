import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import type { SystemRun } from "#compile";
import { type CompiledStatus, shownOf } from "./compiled-slice.ts";

/** The program as its own system would run it; of which text, by its source. */
export type AsSystemStatus =
  | { readonly kind: "none" }
  /** With what the text before gave, which stands until the answer comes. */
  | { readonly kind: "asking"; readonly source: string; readonly run?: SystemRun }
  | { readonly kind: "ready"; readonly source: string; readonly run: SystemRun }
  | { readonly kind: "failed"; readonly source: string };

export interface AsSystemSlice {
  /** Whether the step view is switched to the system of the program. */
  readonly isAsSystem: boolean;
  readonly asSystem: AsSystemStatus;
  readonly showAsSystem: (isAsSystem: boolean) => void;
  /** Asks for the version on screen, where the switch is on and the answer is not there. */
  readonly askAsSystem: () => Promise<void>;
}

type Fields = AsSystemSlice & { readonly compiled: CompiledStatus };

/** What the program's own system would do, asked for only while it is looked at. */
export function asSystemSlice(engine: Engine): StateCreator<Fields, [], [], AsSystemSlice> {
  return (set, get) => ({
    isAsSystem: false,
    asSystem: { kind: "none" },
    showAsSystem: (isAsSystem) => {
      set({ isAsSystem });
      void get().askAsSystem();
    },
    askAsSystem: async () => {
      const { isAsSystem, compiled, asSystem } = get();
      const shown = shownOf(compiled);
      if (!isAsSystem || shown?.system === undefined) return;
      const { source } = shown;
      if (asSystem.kind !== "none" && asSystem.source === source) return;
      const before = asSystem.kind === "ready" ? { run: asSystem.run } : {};
      set({ asSystem: { kind: "asking", source, ...before } });
      const reply = await engine.asSystem(source);
      const now = get().asSystem;
      if (now.kind !== "asking" || now.source !== source) return;
      const run = reply.kind === "done" ? reply.value.run : undefined;
      set({
        asSystem: run === undefined ? { kind: "failed", source } : { kind: "ready", source, run },
      });
    },
  });
}
