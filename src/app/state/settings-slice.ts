import type { StateCreator } from "zustand/vanilla";
import type { ModuleMetric } from "#app/scene/figures";
import type { Notation } from "#app/scene/text";
import type { Services } from "./services.ts";

/** Whether drawings move: as the operating system prefers, never, or always. */
export type Motion = "system" | "reduced" | "full";

/** The reader's settings for all plans; stored in the browser, never part of a link. */
export interface Settings {
  readonly motion: Motion;
  /** Notation of layouts. */
  readonly notation: Notation;
  /** Sizes (px) of the panels whose edges the reader has moved. */
  readonly panels: Readonly<Partial<Record<PanelName, number>>>;
  /** Whether keys without Ctrl act while the canvas has the focus. */
  readonly hasLetterKeys: boolean;
  /** Whether the canvas hides training operators. */
  readonly isForwardOnly: boolean;
  /** Whether the program panel is collapsed beside the canvas of a wide window. */
  readonly isProgramFolded: boolean;
  /** The quantity of the bars at the bottom of cards. */
  readonly heat: ModuleMetric;
  /** Whether the welcome was read and closed. */
  readonly isWelcomed: boolean;
  /** Whether an example suggests first steps. */
  readonly hasHints: boolean;
}

/** A panel whose edge can be moved. */
export type PanelName = (typeof panelNames)[number];

export interface SettingsSlice {
  readonly settings: Settings;
  readonly set: (settings: Partial<Settings>) => void;
}

const settingsKey = "shardboard.settings";

const panelNames = ["program", "side", "player"] as const;

const standard: Settings = {
  ...{ motion: "system", notation: "ours", panels: {} },
  ...{ hasLetterKeys: true, isForwardOnly: false, isProgramFolded: false },
  ...{ isWelcomed: false, hasHints: true, heat: "time" },
};

/** State of the reader's settings. */
export function settingsSlice(storage: Services["storage"]): StateCreator<SettingsSlice> {
  return (set, get) => ({
    settings: readSettings(storage),
    set: (changed) => {
      const settings = { ...get().settings, ...changed };
      set({ settings });
      storage.write(settingsKey, JSON.stringify(settings));
    },
  });
}

const motions: readonly Motion[] = ["system", "reduced", "full"];
const heats: readonly ModuleMetric[] = ["time", "bytes", "memory"];
const notations: readonly Notation[] = ["ours", "book", "jax", "dtensor"];

/** The stored settings; invalid values fall back to the defaults. */
export function readSettings(storage: Services["storage"]): Settings {
  const kept = parsed(storage.read(settingsKey));
  const fieldOf = (name: string): unknown =>
    typeof kept === "object" && kept !== null && Object.hasOwn(kept, name)
      ? Object.entries(kept).find(([key]) => key === name)?.[1]
      : undefined;
  return {
    motion: motions.find((each) => each === fieldOf("motion")) ?? standard.motion,
    notation: notations.find((each) => each === fieldOf("notation")) ?? standard.notation,
    panels: readPanels(fieldOf("panels")),
    hasLetterKeys: fieldOf("hasLetterKeys") !== false,
    isForwardOnly: fieldOf("isForwardOnly") === true,
    isProgramFolded: fieldOf("isProgramFolded") === true,
    heat: heats.find((each) => each === fieldOf("heat")) ?? standard.heat,
    isWelcomed: fieldOf("isWelcomed") === true,
    hasHints: fieldOf("hasHints") !== false,
  };
}

function readPanels(kept: unknown): Settings["panels"] {
  if (typeof kept !== "object" || kept === null) return {};
  const sizes = new Map<string, unknown>(Object.entries(kept));
  return Object.fromEntries(
    panelNames.flatMap((name) => {
      const size = sizes.get(name);
      return typeof size === "number" && size >= 0 && size <= 10_000 ? [[name, size]] : [];
    }),
  );
}

/** The value of a JSON text; `undefined` if it is absent or damaged. */
export function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
