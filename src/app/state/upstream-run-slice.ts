import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import type { SystemRun } from "#compile";
import { type CompiledStatus, shownOf } from "./compiled-slice.ts";

/** The program as its own system would run it, with the text's source. */
export type UpstreamRunStatus =
  | { readonly kind: "none" }
  /** `run` is the answer for the previous text, shown until the new one arrives. */
  | { readonly kind: "asking"; readonly source: string; readonly run?: SystemRun }
  | { readonly kind: "ready"; readonly source: string; readonly run: SystemRun }
  | { readonly kind: "failed"; readonly source: string };

export interface UpstreamRunSlice {
  /** Whether the step view shows the program's own system. */
  readonly showsUpstream: boolean;
  readonly upstreamRun: UpstreamRunStatus;
  readonly showUpstreamRun: (showsUpstream: boolean) => void;
  /** Requests the run of the version on screen if the switch is on and there is no answer yet. */
  readonly askUpstreamRun: () => Promise<void>;
}

type Fields = UpstreamRunSlice & { readonly compiled: CompiledStatus };

/** The program's own system, asked only while its run is shown. */
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
