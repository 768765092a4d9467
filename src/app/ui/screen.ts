import { useSyncExternalStore } from "react";

/** Which of the four arrangements the window has room for. */
export type Screen = "wide" | "drawer" | "tablet" | "phone";

const limits: readonly (readonly [Screen, string])[] = [
  ["phone", "(max-width: 599px)"],
  ["tablet", "(max-width: 1023px)"],
  ["drawer", "(max-width: 1279px)"],
];

/** The arrangement, by the width of the window. */
export function useScreen(): Screen {
  return useSyncExternalStore(subscribe, currentScreen);
}

/** Whether the screen is touched only, so that no keyboard is to be expected. */
export function hasOnlyFingers(): boolean {
  return matchMedia("(any-pointer: coarse) and (not (any-pointer: fine))").matches;
}

let listeners = 0;
/** The size of the window at its last change, while there are listeners. */
let known: Screen | undefined;

/** Called at every drawing, so the window is only asked after a change. */
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
