import type { StateCreator } from "zustand/vanilla";
import type { Notation } from "#app/scene";
import type { Keep } from "./services.ts";

export type Motion = "system" | "reduced" | "full";

/** What a reader sets once for all plans; kept in the browser, never part of a link. */
export interface Settings {
  readonly motion: Motion;
  /** How layouts are written. */
  readonly notation: Notation;
  /** Whether keys without Ctrl act while the canvas has the focus. */
  readonly hasLetterKeys: boolean;
}

/** A sheet over the page; one at a time. */
export type Sheet = "palette" | "shortcuts" | "settings";

export interface SettingsSlice {
  readonly settings: Settings;
  readonly sheet: Sheet | undefined;
  /** Ids of the commands that were used last, newest first. */
  readonly recents: readonly string[];
  readonly set: (settings: Partial<Settings>) => void;
  readonly openSheet: (sheet: Sheet | undefined) => void;
  readonly remember: (command: string) => void;
}

const settingsKey = "shardboard.settings";
const recentsKey = "shardboard.recents";
const recentsKept = 6;

const standard: Settings = { motion: "system", notation: "ours", hasLetterKeys: true };

/** Settings, the sheets over the page, and which commands were used last. */
export function settingsSlice(keep: Keep): StateCreator<SettingsSlice> {
  return (set, get) => ({
    settings: readSettings(keep.read(settingsKey)),
    sheet: undefined,
    recents: readRecents(keep.read(recentsKey)),
    set: (changed) => {
      const settings = { ...get().settings, ...changed };
      set({ settings });
      keep.write(settingsKey, JSON.stringify(settings));
    },
    openSheet: (sheet) => set({ sheet }),
    remember: (command) => {
      const others = get().recents.filter((each) => each !== command);
      const recents = [command, ...others].slice(0, recentsKept);
      set({ recents });
      keep.write(recentsKey, JSON.stringify(recents));
    },
  });
}

const motions: readonly Motion[] = ["system", "reduced", "full"];
const notations: readonly Notation[] = ["ours", "book", "jax", "dtensor"];

/** What was kept, as far as it is one of the choices. */
function readSettings(text: string | undefined): Settings {
  const kept = parsed(text);
  const fieldOf = (name: string): unknown =>
    typeof kept === "object" && kept !== null && Object.hasOwn(kept, name)
      ? Object.entries(kept).find(([key]) => key === name)?.[1]
      : undefined;
  return {
    motion: motions.find((each) => each === fieldOf("motion")) ?? standard.motion,
    notation: notations.find((each) => each === fieldOf("notation")) ?? standard.notation,
    hasLetterKeys: fieldOf("hasLetterKeys") !== false,
  };
}

function readRecents(text: string | undefined): readonly string[] {
  const kept = parsed(text);
  return Array.isArray(kept)
    ? kept.filter((each) => typeof each === "string").slice(0, recentsKept)
    : [];
}

/** JSON, or nothing: what a browser keeps may be damaged. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
