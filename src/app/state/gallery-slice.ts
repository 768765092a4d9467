import type { StateCreator } from "zustand/vanilla";
import type { Engine } from "#app/engine";
import { exampleText } from "#app/first-example";
import type { GalleryDrawing } from "#app/scene";
import { loadExamples } from "./address/known-examples.ts";

/** Progress of the drawing of a gallery card. */
export type DrawingStatus =
  | { readonly kind: "drawing" }
  | { readonly kind: "drawn"; readonly drawing: GalleryDrawing }
  | { readonly kind: "failed"; readonly message: string };

export interface GallerySlice {
  readonly isGalleryOpen: boolean;
  /** Drawing status of the cards seen so far, by the name of their example. */
  readonly drawings: ReadonlyMap<string, DrawingStatus>;
  readonly openGallery: (isOpen: boolean) => void;
  /** Requests the drawing of an example, once. */
  readonly drawExample: (name: string) => Promise<void>;
}

/** The gallery of examples: whether it is open, and the drawings of its cards. */
export function gallerySlice(engine: Engine): StateCreator<GallerySlice> {
  return (set, get) => {
    const keep = (name: string, status: DrawingStatus | undefined) =>
      set(({ drawings }) => {
        const others = [...drawings].filter(([drawn]) => drawn !== name);
        return { drawings: new Map(status === undefined ? others : [...others, [name, status]]) };
      });
    return {
      isGalleryOpen: false,
      drawings: new Map(),
      openGallery: (isGalleryOpen) => set({ isGalleryOpen }),
      drawExample: async (name) => {
        if (get().drawings.has(name)) return;
        keep(name, { kind: "drawing" });
        const examples = await loadExamples().catch(() => []);
        const example = examples.find((each) => each.name === name);
        if (example === undefined) return keep(name, undefined);
        const { shows } = example;
        const reply = await engine.ask("draw", { source: exampleText(example), shows });
        if (reply.kind === "superseded") keep(name, undefined);
        else if (reply.kind === "failed") keep(name, reply);
        else keep(name, { kind: "drawn", drawing: reply.value });
      },
    };
  };
}
