import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import type { SystemRun } from "#compile";
import { type CompiledStatus, shownOf } from "./compiled-slice.ts";

/** The program as its own system would run it, with the text's source. */
export type UpstreamRunStatus =
  | { readonly kind: "none" }
  /** The answer for the text before, shown until the new one comes. */
  | { readonly kind: "asking"; readonly source: string; readonly run?: SystemRun }
  | { readonly kind: "ready"; readonly source: string; readonly run: SystemRun }
  | { readonly kind: "failed"; readonly source: string };

export interface UpstreamRunSlice {
  /** Whether the step view is switched to the system of the program. */
  readonly showsUpstream: boolean;
  readonly upstreamRun: UpstreamRunStatus;
  readonly showUpstreamRun: (showsUpstream: boolean) => void;
  /** Asks for the version on screen, where the switch is on and the answer is not there. */
  readonly askUpstreamRun: () => Promise<void>;
}

type Fields = UpstreamRunSlice & { readonly compiled: CompiledStatus };

/** What the program's own system would do, asked for only while it is looked at. */
export function upstreamRunSlice(engine: Engine): StateCreator<Fields, [], [], UpstreamRunSlice> {
  return (set, get) => ({
    showsUpstream: false,
    upstreamRun: { kind: "none" },
    showUpstreamRun: (showsUpstream) => {
      set({ showsUpstream });
      void get().askUpstreamRun();
    },
    askUpstreamRun: async () => {
      const { showsUpstream, compiled, upstreamRun } = get();
      const shown = shownOf(compiled);
      if (!showsUpstream || shown?.system === undefined) return;
      const { source } = shown;
      if (upstreamRun.kind !== "none" && upstreamRun.source === source) return;
      const before = upstreamRun.kind === "ready" ? { run: upstreamRun.run } : {};
      set({ upstreamRun: { kind: "asking", source, ...before } });
      const reply = await engine.ask("upstream-run", { source });
      const now = get().upstreamRun;
      if (now.kind !== "asking" || now.source !== source) return;
      const run = reply.kind === "done" ? reply.value : undefined;
      set({
        upstreamRun:
          run === undefined ? { kind: "failed", source } : { kind: "ready", source, run },
      });
    },
  });
}
