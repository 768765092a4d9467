import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import type { EdgeComparison } from "#compile";
import type { Redistribution } from "#core/program";
import { type CompiledStatus, shownOf } from "./compiled-slice.ts";

/** The possible sequences of steps for a redistribution, ours and other systems'. */
export interface Policies extends EdgeComparison {
  readonly of: Redistribution;
}

export interface PoliciesSlice {
  /** Policies of the redistribution that was requested last and answered. */
  readonly policies: Policies | undefined;
  /** Requests other systems' steps for a redistribution of the plan on screen. */
  readonly askPolicies: (redistribution: Redistribution) => Promise<void>;
}

type Fields = PoliciesSlice & { readonly compiled: CompiledStatus; readonly pending: number };

/** Other systems' lowerings, computed only for the inspected redistribution. */
export function policiesSlice(engine: Engine): StateCreator<Fields, [], [], PoliciesSlice> {
  return (set, get) => ({
    policies: undefined,
    askPolicies: async (redistribution) => {
      const shown = shownOf(get().compiled);
      if (shown === undefined || get().policies?.of === redistribution) return;
      set(({ pending }) => ({ pending: pending + 1 }));
      const asked = { source: shown.source, redistribution: redistribution.index };
      const reply = await engine.ask("policies", asked);
      set(({ pending }) => ({ pending: pending - 1 }));
      if (reply.kind === "done") set({ policies: { of: redistribution, ...reply.value } });
    },
  });
}
