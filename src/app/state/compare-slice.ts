import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import type { Contributed, Metric } from "#app/scene/text";
import type { Compiled } from "#compile";
import { exampleWithText } from "./address/known-examples.ts";
import { type CompiledStatus, shownOf } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import type { ViewSlice } from "./view-slice.ts";

/** A pinned plan that the present plan is compared with. */
export interface Baseline {
  readonly name: string;
  readonly compiled: Compiled;
}

export interface CompareSlice {
  /** The pinned plans, at most three. */
  readonly baselines: readonly Baseline[];
  /** The pinned plan from which differences are counted. */
  readonly baseline: Baseline | undefined;
  /** Whether the drawings mark differences from the baseline. */
  readonly marksDifference: boolean;
  /**
   * Whether the pinned plans and the present plan are shown side by side instead of the drawing.
   */
  readonly areVariantsShown: boolean;
  /** The metric whose table is open; its parts are highlighted on the canvas. */
  readonly metric: Metric | undefined;
  /** The table row under the pointer or in focus; then only that part is highlighted. */
  readonly litPart: Contributed | undefined;
  /** Pins the plan on screen, to compare later plans with it. */
  readonly pinBaseline: () => void;
  /** Unpins a plan, by default the baseline. */
  readonly unpinBaseline: (baseline?: Baseline) => void;
  /** Makes another pinned plan the baseline. */
  readonly countFrom: (baseline: Baseline) => void;
  /** Swaps the text with a baseline's, as one edit; the present plan is pinned in its place. */
  readonly swapBaseline: (baseline?: Baseline) => void;
  /** Swaps the pinned plans back after an undo or redo across a swap. */
  readonly keepSwapped: (source: string) => void;
  /** Compiles and pins the baseline texts of a link. */
  readonly holdBaselines: (sources: readonly string[]) => Promise<void>;
  readonly markDifference: (isMarked: boolean) => void;
  readonly showVariants: (areShown: boolean) => void;
  readonly openTable: (metric: Metric | undefined) => void;
  readonly lightPart: (part: Contributed | undefined) => void;
}

/** Number of swaps remembered for undo and redo. */
const swapsKept = 12;

/** Two plans that were swapped. */
type Swap = readonly [Baseline, Baseline];

/** Limit of pinned plans; with the plan on screen, four are compared. */
const mostBaselines = 3;

type Fields = CompareSlice &
  Pick<DocumentSlice, "document" | "commit"> &
  Pick<ViewSlice, "say"> & { readonly compiled: CompiledStatus };

const uncompared = {
  baselines: [],
  baseline: undefined,
  marksDifference: true,
  areVariantsShown: false,
  metric: undefined,
  litPart: undefined,
} satisfies Partial<CompareSlice>;

/** State of the baselines and of the open metric table. */
export function compareSlice(engine: Engine): StateCreator<Fields, [], [], CompareSlice> {
  const swaps: Swap[] = [];
  return (set, get) => ({
    ...uncompared,
    pinBaseline: () => {
      const compiled = shownOf(get().compiled);
      if (compiled === undefined) return;
      const baseline = { name: nameOf(compiled.source, get().document.change), compiled };
      const text = refusalOf(get().baselines, compiled);
      if (text !== undefined) return get().say({ kind: "refused", text });
      get().say({ kind: "said", text: `Baseline: ${baseline.name}` });
      set(withPinned(get().baselines, baseline));
    },
    unpinBaseline: (baseline = get().baseline) => {
      const baselines = get().baselines.filter((each) => each !== baseline);
      const isKept = baselines.some((each) => each === get().baseline);
      set({ baselines, ...(!isKept && { baseline: baselines.at(-1) }) });
    },
    countFrom: (baseline) => set({ baseline }),
    swapBaseline: (wanted = get().baseline) => {
      const { compiled, document, commit, baselines, baseline } = get();
      const present = shownOf(compiled);
      if (wanted === undefined || present === undefined) return;
      const swapped = { name: nameOf(present.source, document.change), compiled: present };
      swaps.push([swapped, wanted]);
      swaps.splice(0, swaps.length - swapsKept);
      set(withSwapped({ baselines, baseline }, wanted, swapped));
      commit(wanted.compiled.source, `Swap with ${wanted.name}`);
    },
    keepSwapped: (source) => {
      const { baselines, baseline } = get();
      const bothWays = swaps.flatMap(([one, other]): Swap[] => [
        [one, other],
        [other, one],
      ]);
      const back = bothWays.find(
        ([taken]) => taken.compiled.source === source && baselines.includes(taken),
      );
      if (back !== undefined) set(withSwapped({ baselines, baseline }, ...back));
    },
    holdBaselines: async (sources) => {
      const { opening } = get().document;
      for (const source of sources) {
        const reply = await engine.ask("compile-aside", { source });
        if (reply.kind !== "done" || get().document.opening !== opening) return;
        const name = nameOf(source, "the link's baseline");
        set(withPinned(get().baselines, { name, compiled: reply.value }));
        set({ baseline: get().baselines[0] });
      }
    },
    markDifference: (marksDifference) => set({ marksDifference }),
    showVariants: (areVariantsShown) =>
      set({ areVariantsShown, ...(areVariantsShown && { metric: undefined, litPart: undefined }) }),
    openTable: (metric) => set({ metric, litPart: undefined }),
    lightPart: (litPart) => set({ litPart }),
  });
}

/** The reason why a plan cannot be pinned; `undefined` if it can. */
function refusalOf(baselines: readonly Baseline[], { source }: Compiled): string | undefined {
  if (baselines.some(({ compiled }) => compiled.source === source)) {
    return "This plan is pinned already.";
  }
  if (baselines.length < mostBaselines) return undefined;
  return `${mostBaselines} plans are pinned: unpin one to pin another.`;
}

type Pinned = Pick<CompareSlice, "baselines" | "baseline">;

function withPinned(baselines: readonly Baseline[], baseline: Baseline): Pinned {
  return { baselines: [...baselines, baseline].slice(-mostBaselines), baseline };
}

/** The pinned plans with one of them replaced by another. */
function withSwapped({ baselines, baseline }: Pinned, taken: Baseline, given: Baseline): Pinned {
  const put = (each: Baseline) => (each === taken ? given : each);
  return { baselines: baselines.map(put), baseline: baseline && put(baseline) };
}

/** A plan's name: the title of its example, else the label of the last change. */
function nameOf(source: string, change: string | undefined): string {
  const example = exampleWithText(source);
  return example?.title ?? change ?? "the plan as opened";
}
