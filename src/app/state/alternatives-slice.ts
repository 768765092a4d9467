import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import type { Redistribution } from "#core/program";
import type { AlternativeText, TextCost } from "#edit";
import { type CompiledStatus, shownOf } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import type { ViewSlice } from "./view-slice.ts";

/**
 * A change of the text that makes a redistribution cheaper or removes it, with the cost of the
 * changed plan.
 */
export interface Alternative {
  readonly label: string;
  readonly source: string;
  readonly weight: TextCost;
  /** Whether the tensor is no longer sent at all. */
  readonly isWithout: boolean;
}

/** Progress of the search for alternatives to one redistribution of the text `source`. */
export interface AlternativesStatus {
  readonly kind: "none" | "looking" | "done" | "failed";
  readonly source: string;
  readonly redistribution: number;
  readonly tried: number;
  /** The best alternatives so far, cheapest first; at most two. */
  readonly best: readonly Alternative[];
}

export interface AlternativesSlice {
  readonly alternatives: AlternativesStatus;
  /** Tries changes that may remove a redistribution of the plan on screen or make it cheaper. */
  readonly lookForAlternatives: (redistribution: Redistribution) => Promise<void>;
  /** Writes an alternative into the text, as one entry of the log. */
  readonly takeAlternative: (alternative: Alternative) => void;
}

type Fields = AlternativesSlice &
  Pick<DocumentSlice, "document" | "commit"> &
  Pick<ViewSlice, "say"> & { readonly compiled: CompiledStatus };

const none: AlternativesStatus = {
  kind: "none",
  source: "",
  redistribution: -1,
  tried: 0,
  best: [],
};

/** Searches cheaper alternatives to the inspected redistribution, one trial at a time. */
export function alternativesSlice(engine: Engine): StateCreator<Fields, [], [], AlternativesSlice> {
  return (set, get) => {
    let latest: object | undefined;
    const lookForAlternatives: Fields["lookForAlternatives"] = async (redistribution) => {
      const shown = shownOf(get().compiled);
      if (shown === undefined || isKnown(get().alternatives, shown.source, redistribution)) return;
      // No trials on the older plan while a newer text is being compiled.
      const isOfText = () => get().document.source === shown.source;
      if (!isOfText()) return;
      const { index } = redistribution;
      const begun = {
        ...none,
        kind: "looking",
        source: shown.source,
        redistribution: index,
      } as const;
      set({ alternatives: begun });
      // Identified by object, not by text and redistribution: returning to a redistribution starts
      // a new search.
      latest = begun;
      const isWanted = () => latest === begun && isOfText();
      const show = (next: Partial<AlternativesStatus>) => {
        if (latest !== begun) return;
        set((state) => ({ alternatives: { ...state.alternatives, ...next } }));
      };
      const reply = await engine.ask("alternatives", {
        source: shown.source,
        redistribution: index,
      });
      if (reply.kind === "failed") show({ kind: "failed" });
      if (reply.kind === "superseded") show(none);
      if (reply.kind !== "done") return;
      if (!isWanted()) return show(none);
      const now = { seconds: shown.cost.seconds, tensorBytes: sentOf(shown, redistribution) };
      await tryEach(engine, reply.value, redistribution, now, isWanted, show);
    };
    return {
      alternatives: none,
      lookForAlternatives,
      takeAlternative: ({ source, label }) => {
        const { alternatives, document, commit, say } = get();
        if (alternatives.source !== document.source) return;
        commit(source, label);
        say({ kind: "said", text: label });
      },
    };
  };
}

function isKnown(
  { kind, source, redistribution }: AlternativesStatus,
  wanted: string,
  { index }: Redistribution,
): boolean {
  return kind !== "none" && source === wanted && redistribution === index;
}

type Now = Pick<TextCost, "seconds" | "tensorBytes">;

async function tryEach(
  engine: Engine,
  texts: readonly AlternativeText[],
  { tensor }: Redistribution,
  now: Now,
  isWanted: () => boolean,
  show: (next: Partial<AlternativesStatus>) => void,
): Promise<void> {
  let best: readonly Alternative[] = [];
  for (const [tried, text] of texts.entries()) {
    const reply = await engine.ask("weigh", { source: text.source, tensor });
    if (reply.kind === "superseded" || !isWanted()) return show(none);
    const weight = reply.kind === "done" ? reply.value : undefined;
    if (weight !== undefined && isCheaper(weight, now)) best = withOne(best, text, weight);
    show({ tried: tried + 1, best });
  }
  show({ kind: "done", best });
}

/** Whether the whole plan takes less time and the tensor is sent with fewer bytes. */
function isCheaper(weight: TextCost, now: Now): boolean {
  return weight.seconds < now.seconds * (1 - 1e-6) && weight.tensorBytes < now.tensorBytes;
}

/** The two cheapest alternatives; of two with equal cost, the one tried first. */
function withOne(
  best: readonly Alternative[],
  { label, source }: AlternativeText,
  weight: TextCost,
): readonly Alternative[] {
  const isSame = best.some(
    (each) => each.weight.seconds === weight.seconds && each.weight.peakBytes === weight.peakBytes,
  );
  if (isSame) return best;
  const one = { label, source, weight, isWithout: weight.tensorBytes === 0 };
  return [...best, one].sort((a, b) => a.weight.seconds - b.weight.seconds).slice(0, 2);
}

function sentOf(
  { program }: { readonly program: { readonly redistributions: readonly Redistribution[] } },
  { tensor }: Redistribution,
): number {
  return program.redistributions
    .filter((each) => each.tensor === tensor)
    .reduce((sum, { bytes }) => sum + bytes, 0);
}
