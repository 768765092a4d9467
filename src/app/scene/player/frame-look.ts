import type { TextLook } from "../card/card-look.ts";

/** How the ways of what is sent look; those of what a device keeps are whole lines. */
export const frameWay = { width: 2, dash: [4, 2.5] } as const;

/** The sign that parts of a sum are added: a ring on paper, and a cross in it. */
export const framePlus = { ring: 1.5, cross: 1.6 } as const;

const ui = { face: "ui", size: 11, weight: 500 } as const;

/** How the words of a frame are written. */
export const frameTexts: Readonly<Record<"head" | "device" | "bytes", Omit<TextLook, "letter">>> = {
  head: { ...ui, weight: 600, ink: "ink" },
  device: { ...ui, ink: "ink2" },
  bytes: { ...ui, ink: "ink" },
};
