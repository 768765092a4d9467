import type { StateCreator } from "zustand/vanilla";
import { isInsideMode, type LinkMode, type LinkOptions } from "#app/embedding";
import type { LinkView } from "#app/share";
import { type LookedAt, viewOf } from "./view-of.ts";
import type { ViewSlice } from "./view-slice.ts";

export interface PresentSlice {
  /** Whether the page is a whole one, embedded in another, or shown to an audience. */
  readonly mode: LinkMode;
  /** The other page options of the address. */
  readonly options: LinkOptions;
  /** The views of a talk, in order. */
  readonly stations: readonly LinkView[];
  /** Index of the last visited station, from 0. */
  readonly station: number;
  /** Starts or ends presenting the plan; an embedded page keeps its mode. */
  readonly present: (isOn: boolean) => void;
  /** Takes over the page options of another address. */
  readonly takeOptions: (options: LinkOptions) => void;
  /** Appends the present view to the stations. */
  readonly keepStation: () => void;
  readonly dropStation: (at: number) => void;
}

type Fields = PresentSlice &
  LookedAt &
  Pick<ViewSlice, "hops" | "isPlaying"> & { readonly share: object };

/** State of showing the plan to others: embedded in another page, or to an audience. */
export const presentSlice =
  (
    options: LinkOptions,
    stations: readonly LinkView[],
  ): StateCreator<Fields, [], [], PresentSlice> =>
  (set, get) => ({
    mode: options.mode,
    ...{ options, stations, station: 0 },
    present: (isOn) => {
      if (isInsideMode(get().mode)) return;
      set({ mode: isOn ? "present" : "whole", share: { kind: "closed" }, isPlaying: false });
      if (isOn) set({ hops: "ring" });
    },
    takeOptions: (next) => {
      const { mode, present, options: first } = get();
      // Only the first options, from the embedding page, set the origin that may listen.
      const { parent: _, ...rest } = next;
      const kept = first.parent === undefined ? {} : { parent: first.parent };
      set({ options: { ...rest, ...kept } });
      if (!isInsideMode(mode) && !isInsideMode(next.mode)) present(next.mode === "present");
    },
    keepStation: () => set({ stations: [...get().stations, viewOf(get())] }),
    dropStation: (at) =>
      set(({ stations: before, station }) => ({
        stations: before.filter((_, each) => each !== at),
        station: Math.max(0, station > at ? station - 1 : station),
      })),
  });
