import { useEffect, useLayoutEffect } from "react";
import type { AppState } from "#app/state";
import { useApp, useShared, useSystemDark } from "./store-context.tsx";

const chosenTheme = ({ theme }: AppState) => theme;

/** The theme in force: the reader's choice, else the system's. */
export function useResolvedTheme(): "light" | "dark" {
  const theme = useShared(chosenTheme);
  const isSystemDark = useSystemDark();
  if (theme !== "system") return theme;
  return isSystemDark ? "dark" : "light";
}

/** Writes the theme where the style sheets look for it, before anything reads their colours. */
export function useThemeAttribute(): void {
  const theme = useResolvedTheme();
  useLayoutEffect(() => {
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
