import { useEffect } from "react";
import { useApp } from "../store-context.tsx";
import type { Player } from "./use-player.ts";

/** How long each still stands, in milliseconds. */
const stillFor = 1100;

/** Goes on from still to still while it plays, up to the last; gives back how to start and stop. */
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
