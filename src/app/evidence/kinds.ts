import { fieldOf } from "#core/records";
import held from "./data/held.json" with { type: "json" };
import type { Group } from "./rows.ts";

/** The properties of a plan by which similar measurements are found. */
export interface PlanKind {
  readonly devices: number;
  readonly trains: boolean;
  readonly isCompiled: boolean;
  readonly limit: "device" | "host";
  /** The name of the plan's chip, as in the presets. */
  readonly chip: string;
}

/** The model's error on measured plans of one kind. */
export interface StatedError {
  readonly group: Group;
  /** The measured rows in words: `eager training steps of one H100`. */
  readonly rows: string;
  /** Median error and 90th percentile; `NaN` if the model has no figure for any row. */
  readonly median: number;
  readonly ninth: number;
  readonly count: number;
  /**
   * Whether plans of this kind were measured; otherwise these rows are the nearest measured ones.
   */
  readonly isLike: boolean;
  /** Whether the chip itself was measured. */
  readonly isSameChip: boolean;
}

/** Stored error figures of a group or family for the present model; `null` is unknown. */
export interface HeldFigures {
  readonly count: number;
  readonly median: number | null;
  readonly ninth: number | null;
}

/** The measured steps most similar to a plan, with the errors of their times. */
export function timeError(kind: PlanKind): StatedError {
  const { devices, trains, isCompiled, limit, chip } = kind;
  if (devices > 1) return { ...published(chip), isLike: trains };
  if (!trains) return stated("operators", chip, "single operators on one H100");
  if (isCompiled) return stated("compiled steps", chip, "compiled training steps of one H100");
  return limit === "host"
    ? stated("steps that the host limits", chip, "eager training steps that launches limit")
    : stated("steps", chip, "eager training steps of one H100");
}

/** `timeError` for the memory of a plan; the memory of a forward pass alone was not measured. */
export function memoryError({ devices, trains, chip }: PlanKind): StatedError {
  const figures =
    devices > 1
      ? stated("published memory", chip, "published training steps of 8 devices")
      : stated("peak memory", chip, "training steps of one H100");
  return { ...figures, isLike: trains };
}

const measuredChips = ["H100", "A100"];

/** Published steps of the chip if there are any, else of all chips. */
function published(chip: string): StatedError {
  const own = measuredChips.find((each) => chip.includes(each));
  const words = `published training steps of 8 to 256 ${own ?? "device"}s`;
  const key = own === undefined ? "" : ` / ${own}`;
  return { ...stated("published steps", chip, words, key), isSameChip: own !== undefined };
}

function stated(group: Group, chip: string, rows: string, key = ""): StatedError {
  const figures = fieldOf<HeldFigures>(held, `${group}${key}`);
  const { count = 0, median, ninth } = figures ?? {};
  return {
    ...{ group, count, rows },
    ...{ isLike: true, isSameChip: chip.includes("H100") },
    median: median ?? Number.NaN,
    ninth: ninth ?? Number.NaN,
  };
}
