import { useEffect } from "react";
import { useApp } from "../store-context.tsx";
import type { Player } from "./use-player.ts";

/** Milliseconds for which each still stands. */
const stillFor = 1100;

/**
 * Advances still by still while playing, up to the last; returns actions that start and stop it.
 */
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
