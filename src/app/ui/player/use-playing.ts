import { useEffect } from "react";
import { useApp } from "../store-context.tsx";
import type { Player } from "./use-player.ts";

/** Time in milliseconds for which each still is shown. */
const stillFor = 1100;

/** Plays the stills up to the last; returns the function that starts and stops. */
export function usePlaying(player: Player): () => void {
  const isPlaying = useApp((state) => state.isPlaying);
  const play = useApp((state) => state.play);
  const { forth, goToStep } = player;
  useEffect(() => {
    if (!isPlaying) return;
    if (forth === undefined) {
      play(false);
      return;
    }
    const handle = setTimeout(forth, stillFor);
    return () => clearTimeout(handle);
  }, [isPlaying, forth, play]);
  return () => {
    if (!isPlaying && forth === undefined) goToStep(0);
    play(!isPlaying);
  };
}
