import type { StateCreator } from "zustand/vanilla";
import type { Services } from "./services.ts";
import { parsed } from "./settings-slice.ts";
import type { Selection, ViewSlice } from "./view-slice.ts";

/** A sheet over the page; at most one is open. */
export type Sheet =
  | ("palette" | "shortcuts" | "settings" | "projection" | "plans")
  | ("words" | "results" | "editor");

export interface PaletteSlice {
  readonly sheet: Sheet | undefined;
  /** Ids of the recently used commands, newest first. */
  readonly recents: readonly string[];
  /** The part that the canvas must scroll into view; a new object for each request. */
  readonly sought: Selection | undefined;
  /** The glossary word that the sheet shows; the sheet reports an unknown word. */
  readonly word: string | undefined;
  /** The link to a result with which its sheet opens. */
  readonly results: string;
  readonly openSheet: (sheet: Sheet | undefined) => void;
  readonly openWord: (word: string) => void;
  readonly openResults: (link: string) => void;
  readonly remember: (command: string) => void;
  /** Selects a part and scrolls it into view. */
  readonly seek: (selection: Selection) => void;
}

type Fields = PaletteSlice & Pick<ViewSlice, "select" | "showSheet">;

const recentsKey = "shardboard.recents";
const recentsKept = 6;

/** The sheets over the page, recent commands, and the part to scroll to. */
export function paletteSlice(
  storage: Services["storage"],
): StateCreator<Fields, [], [], PaletteSlice> {
  return (set, get) => ({
    sheet: undefined,
    recents: readRecents(storage.read(recentsKey)),
    sought: undefined,
    word: undefined,
    results: "",
    openSheet: (sheet) => set({ sheet }),
    openResults: (results) => set({ sheet: "results", results }),
    openWord: (word) => set({ sheet: "words", word }),
    remember: (command) => {
      const others = get().recents.filter((each) => each !== command);
      const recents = [command, ...others].slice(0, recentsKept);
      set({ recents });
      storage.write(recentsKey, JSON.stringify(recents));
    },
    seek: (selection) => {
      get().select(selection);
      set({ sought: { ...selection } });
      get().showSheet(selection.redistribution === undefined ? "tensor" : "steps");
    },
  });
}

function readRecents(text: string | undefined): readonly string[] {
  const kept = parsed(text);
  return Array.isArray(kept)
    ? kept.filter((each) => typeof each === "string").slice(0, recentsKept)
    : [];
}
