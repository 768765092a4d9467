import { ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import type { Player } from "./use-player.ts";

interface Props {
  readonly player: Player;
}

/** Goes one still back. */
export function BackButton({ player: { back } }: Props) {
  return (
    <IconButton
      icon={ChevronLeft}
      name="Previous step"
      testId="step-prev"
      disabled={back === undefined}
      onClick={back}
    />
  );
}

/** Plays or pauses; `toggle` is what the button does. */
export function PlayButton({ player, toggle }: Props & { readonly toggle: () => void }) {
  const isPlaying = useApp((state) => state.isPlaying);
  return (
    <IconButton
      icon={isPlaying ? Pause : Play}
      name={isPlaying ? "Pause" : "Play"}
      testId="step-play"
      disabled={player.steps.length === 0}
      onClick={toggle}
    />
  );
}

/** Goes one still on. */
export function ForthButton({ player: { forth } }: Props) {
  return (
    <IconButton
      icon={ChevronRight}
      name="Next step"
      testId="step-next"
      disabled={forth === undefined}
      onClick={forth}
    />
  );
}
