import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import { examples, exampleText } from "#app/examples";
import type { Contributed, Metric } from "#app/scene";
import type { Compiled } from "#compile";
import { type CompiledStatus, shownOf } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import type { ViewSlice } from "./view-slice.ts";

/** A plan that the present one is held against. */
export interface Baseline {
  readonly name: string;
  readonly compiled: Compiled;
}

export interface CompareSlice {
  readonly baseline: Baseline | undefined;
  /** The number whose table is open; what it lists lights up on the canvas. */
  readonly metric: Metric | undefined;
  /** The part of it under the pointer or with the focus: it alone lights up. */
  readonly litPart: Contributed | undefined;
  /** Holds the plan on screen against what comes. */
  readonly pinBaseline: () => void;
  readonly unpinBaseline: () => void;
  /** Goes back to the baseline's text, and holds the present plan against it: one edit. */
  readonly swapBaseline: () => void;
  /** Makes a text the baseline, as a link that carries one asks. */
  readonly holdBaseline: (source: string) => Promise<void>;
  readonly openTable: (metric: Metric | undefined) => void;
  readonly lightPart: (part: Contributed | undefined) => void;
}

type Fields = CompareSlice &
  Pick<DocumentSlice, "document" | "commit"> &
  Pick<ViewSlice, "say"> & { readonly compiled: CompiledStatus };

/** The baseline, and the table of what a number is made of. */
export function compareSlice(engine: Engine): StateCreator<Fields, [], [], CompareSlice> {
  return (set, get) => ({
    baseline: undefined,
    metric: undefined,
    litPart: undefined,
    pinBaseline: () => {
      const compiled = shownOf(get().compiled);
      if (compiled === undefined) return;
      const baseline = { name: nameOf(compiled.source, get().document.change), compiled };
      set({ baseline });
      get().say({ kind: "said", text: `Baseline: ${baseline.name}` });
    },
    unpinBaseline: () => set({ baseline: undefined }),
    swapBaseline: () => {
      const { baseline, compiled, document, commit } = get();
      const present = shownOf(compiled);
      if (baseline === undefined || present === undefined) return;
      set({ baseline: { name: nameOf(present.source, document.change), compiled: present } });
      commit(baseline.compiled.source, "Swap with the baseline");
    },
    holdBaseline: async (source) => {
      const { opening } = get().document;
      const reply = await engine.compileAside(source);
      if (reply.kind !== "done" || get().document.opening !== opening) return;
      set({ baseline: { name: nameOf(source, "the link's baseline"), compiled: reply.value } });
    },
    openTable: (metric) => set({ metric, litPart: undefined }),
    lightPart: (litPart) => set({ litPart }),
  });
}

/** Why a plan cannot be pinned. */
function refusalOf(baselines: readonly Baseline[], { source }: Compiled): string | undefined {
  if (baselines.some(({ compiled }) => compiled.source === source)) {
    return "This plan is pinned already.";
  }
  if (baselines.length < mostBaselines) return undefined;
  return `${mostBaselines} plans are pinned: unpin one to pin another.`;
}

function withPinned(
  baselines: readonly Baseline[],
  baseline: Baseline,
): Pick<CompareSlice, "baselines" | "baseline"> {
  return { baselines: [...baselines, baseline].slice(-mostBaselines), baseline };
}

/** An example by its title, else what was done last. */
function nameOf(source: string, change: string | undefined): string {
  const example = examples.find((each) => exampleText(each) === source);
  return example?.title ?? change ?? "the plan as opened";
}
