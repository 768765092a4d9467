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

/** Whether nothing but fingers points, as where no keyboard is to be expected either. */
export function hasOnlyFingers(): boolean {
  return matchMedia("(any-pointer: coarse) and (not (any-pointer: fine))").matches;
}

function currentScreen(): Screen {
  return limits.find(([, query]) => matchMedia(query).matches)?.[0] ?? "wide";
}

function subscribe(changed: () => void): () => void {
  const lists = limits.map(([, query]) => matchMedia(query));
  for (const list of lists) list.addEventListener("change", changed);
  return () => {
    for (const list of lists) list.removeEventListener("change", changed);
  };
}
