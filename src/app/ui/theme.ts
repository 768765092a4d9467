import { useEffect, useLayoutEffect } from "react";
import type { AppState } from "#app/state";
import { useApp, useShared, useSystemDark } from "./store-context.tsx";

const chosenTheme = ({ theme }: AppState) => theme;

/** The theme in effect: the reader's choice, else the system's. */
export function useResolvedTheme(): "light" | "dark" {
  const theme = useShared(chosenTheme);
  const isSystemDark = useSystemDark();
  if (theme !== "system") return theme;
  return isSystemDark ? "dark" : "light";
}

/**
 * Sets the attribute that the style sheets read the theme from, before anything reads their
 * colours.
 */
export function useThemeAttribute(): void {
  const theme = useResolvedTheme();
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
}

/** Sets the attribute by which the style sheets allow or forbid motion. */
export function useMotionAttribute(): void {
  const motion = useApp((state) => state.settings.motion);
  useEffect(() => {
    document.documentElement.dataset["motion"] = motion;
  }, [motion]);
}
