import { useEffect, useRef } from "react";
import { useAppStore } from "../store-context.tsx";
import type { Stations, Stops } from "./use-stops.ts";

interface Talk {
  readonly stops: Stops;
  readonly stations: Stations;
  readonly isBlank: boolean;
  readonly unblank: () => void;
}

/**
 * Arrows, and the two keys of a clicker, move over steps and hops; up and down over stations,
 * digits to one of them; Escape leaves. On a blank screen such a key first shows the slide.
 */
export function useTalkKeys(talk: Talk): void {
  const store = useAppStore();
  const current = useRef(talk);
  current.current = talk;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { sheet, present } = store.getState();
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (event.defaultPrevented || sheet !== undefined || hasModifier) return;
      if (event.target instanceof Element && event.target.closest(fields) !== null) return;
      const act = actOf(event.key, current.current, () => present(false));
      if (act === undefined) return;
      event.preventDefault();
      const { isBlank, unblank } = current.current;
      if (isBlank) unblank();
      else act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [store]);
}

/** Elements that use these keys themselves. */
const fields = "input, textarea, select, dialog";

const nothing = () => {};

function actOf(
  key: string,
  { stops, stations }: Talk,
  leave: () => void,
): (() => void) | undefined {
  switch (key) {
    case "ArrowRight":
    case "PageDown":
      return stops.forth ?? nothing;
    case "ArrowLeft":
    case "PageUp":
      return stops.back ?? nothing;
    case "ArrowDown":
      return () => stations.goTo(stations.at + 1);
    case "ArrowUp":
      return () => stations.goTo(stations.at - 1);
    case "Escape":
      return leave;
    default:
      return /^[1-9]$/.test(key) ? () => stations.goTo(Number(key) - 1) : undefined;
  }
}
