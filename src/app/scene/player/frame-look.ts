import type { TextLook } from "../card/card-look.ts";

/** Stroke of a path between devices; the path of a kept block is drawn solid, without the dash. */
export const frameWay = { width: 2, dash: [4, 2.5] } as const;

/** Stroke widths of the plus sign for added parts, in CSS pixels: its ring and its cross. */
export const framePlus = { ring: 1.5, cross: 1.6 } as const;

const ui = { face: "ui", size: 11, weight: 500 } as const;

/** The looks of the texts in a frame. */
export const frameTexts: Readonly<Record<"head" | "device" | "bytes", Omit<TextLook, "letter">>> = {
  head: { ...ui, weight: 600, ink: "ink" },
  device: { ...ui, ink: "ink2" },
  bytes: { ...ui, ink: "ink" },
};
