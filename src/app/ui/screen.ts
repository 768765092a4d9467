import { useSyncExternalStore } from "react";

/** Page layouts by the width of the window. */
export type Screen = "wide" | "drawer" | "tablet" | "phone";

const limits: readonly (readonly [Screen, string])[] = [
  ["phone", "(max-width: 599px)"],
  ["tablet", "(max-width: 1023px)"],
  ["drawer", "(max-width: 1279px)"],
];

/** Page layout for the present width of the window. */
export function useScreen(): Screen {
  return useSyncExternalStore(subscribe, currentScreen);
}

/** Whether touch is the only pointer; then there is probably no keyboard either. */
export function hasOnlyFingers(): boolean {
  return matchMedia("(any-pointer: coarse) and (not (any-pointer: fine))").matches;
}

let listeners = 0;
/** Layout at the window's last change, cached while there are subscribers. */
let known: Screen | undefined;

/** Called at every render, so the media queries are evaluated only after a change. */
function currentScreen(): Screen {
  return known ?? roomNow();
}

function roomNow(): Screen {
  return limits.find(([, query]) => matchMedia(query).matches)?.[0] ?? "wide";
}

function subscribe(changed: () => void): () => void {
  const lists = limits.map(([, query]) => matchMedia(query));
  const look = () => {
    known = roomNow();
    changed();
  };
  for (const list of lists) list.addEventListener("change", look);
  listeners += 1;
  known ??= roomNow();
  return () => {
    for (const list of lists) list.removeEventListener("change", look);
    listeners -= 1;
    if (listeners === 0) known = undefined;
  };
}
