import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import { formatBytes } from "#app/scene/text";
import { fewestBlocks } from "#core/training";
import type { RecomputeSelection } from "#edit";
import type { DocumentSlice } from "./document-slice.ts";
import type { ViewSlice } from "./view-slice.ts";

/** The state of the search for the blocks to recompute within a budget. */
export type RecomputeStatus =
  | { readonly kind: "none" }
  | { readonly kind: "working" }
  | { readonly kind: "said"; readonly text: string; readonly source: string };

export interface RecomputeSlice {
  readonly recompute: RecomputeStatus;
  /** Writes into the text that no block, or every block, is recomputed: one edit. */
  readonly computeAgain: (again: "none" | "full") => Promise<void>;
  /**
   * Finds the fewest blocks whose recomputation keeps the peak within `bytes`, and writes them into
   * the text.
   */
  readonly computeAgainWithin: (bytes: number) => Promise<void>;
}

type Fields = RecomputeSlice & Pick<DocumentSlice, "document" | "commit"> & Pick<ViewSlice, "say">;

/** The recomputed blocks of a training step, as edits of the text. */
export function recomputeSlice(engine: Engine): StateCreator<Fields, [], [], RecomputeSlice> {
  return (set, get) => {
    const say = (text: string) =>
      set({ recompute: { kind: "said", text, source: get().document.source } });
    const commit = (from: string, to: string, label: string, text: string) => {
      // If the text has changed meanwhile, the edit is dropped and the user asks again.
      if (get().document.source !== from) return set({ recompute: { kind: "none" } });
      if (to !== from) get().commit(to, label);
      say(text);
    };
    return {
      recompute: { kind: "none" },
      computeAgain: async (again) => {
        const { source } = get().document;
        const edit = await editOf(engine, source, again);
        if ("refusal" in edit) return say(edit.refusal);
        const label = again === "none" ? "Compute nothing again" : "Compute every block again";
        commit(source, edit.source, label, "");
      },
      computeAgainWithin: async (bytes) => {
        const { source } = get().document;
        set({ recompute: { kind: "working" } });
        const found = await blocksWithin(engine, source, bytes);
        if ("refusal" in found) return say(found.refusal);
        const label = `Compute again within ${formatBytes(bytes)}`;
        commit(source, found.source, label, found.text);
      },
    };
  };
}

type Edit = { readonly source: string; readonly blocks: readonly string[] };
type Refusal = { readonly refusal: string };

async function editOf(
  engine: Engine,
  source: string,
  again: RecomputeSelection,
): Promise<Edit | Refusal> {
  const reply = await engine.ask("recompute", { source, again });
  if (reply.kind === "done") return reply.value;
  return { refusal: reply.kind === "failed" ? reply.message : "The text has changed meanwhile." };
}

/** The fewest blocks that a step must recompute, by the same search as a budget in the text. */
async function blocksWithin(
  engine: Engine,
  source: string,
  bytes: number,
): Promise<(Edit & { readonly text: string }) | Refusal> {
  const whole = await editOf(engine, source, "full");
  if ("refusal" in whole) return whole;
  const { blocks } = whole;
  const tried = async (count: number) => {
    const all = count === blocks.length ? "full" : blocks.slice(0, count);
    const edit = await editOf(engine, source, count === 0 ? "none" : all);
    if ("refusal" in edit) return edit;
    const reply = await engine.ask("compile-aside", { source: edit.source });
    if (reply.kind !== "done") return { refusal: "The text has changed meanwhile." };
    return { ...edit, peak: reply.value.memory.peakBytes, count };
  };
  const known = new Map<number, Exclude<Awaited<ReturnType<typeof tried>>, Refusal>>();
  const search = fewestBlocks(blocks.length, bytes);
  let step = search.next();
  while (step.done !== true) {
    const found = await tried(step.value);
    if ("refusal" in found) return found;
    known.set(step.value, found);
    step = search.next(found.peak);
  }
  const count = step.value ?? blocks.length;
  const best = known.get(count);
  if (step.value === undefined || best === undefined) {
    const peak = formatBytes(best?.peak ?? Number.NaN);
    return {
      refusal: `With all ${blocks.length} blocks computed again a step still takes ${peak}.`,
    };
  }
  return { ...best, text: outcomeText(count, blocks.length, best.peak) };
}

function outcomeText(count: number, all: number, peak: number): string {
  const held = `${formatBytes(peak)} at the peak`;
  return count === 0
    ? `Nothing has to be computed again: ${held}.`
    : `${count} of ${all} blocks are computed again: ${held}.`;
}
