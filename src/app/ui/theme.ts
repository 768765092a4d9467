import { useEffect, useSyncExternalStore } from "react";
import type { AppState } from "#app/state";
import { useApp, useShared } from "./store-context.tsx";

const darkQuery = "(prefers-color-scheme: dark)";

const chosenTheme = ({ theme }: AppState) => theme;

/** The theme in force: the reader's choice, else the system's. */
export function useResolvedTheme(): "light" | "dark" {
  const theme = useShared(chosenTheme);
  const isSystemDark = useSyncExternalStore(subscribe, () => matchMedia(darkQuery).matches);
  if (theme !== "system") return theme;
  return isSystemDark ? "dark" : "light";
}

/** Writes the theme where the style sheets look for it. */
export function useThemeAttribute(): void {
  const theme = useResolvedTheme();
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
}

/** Writes whether things may move where the style sheets look for it. */
export function useMotionAttribute(): void {
  const motion = useApp((state) => state.settings.motion);
  useEffect(() => {
    document.documentElement.dataset["motion"] = motion;
  }, [motion]);
}

function subscribe(changed: () => void): () => void {
  const list = matchMedia(darkQuery);
  list.addEventListener("change", changed);
  return () => list.removeEventListener("change", changed);
}
