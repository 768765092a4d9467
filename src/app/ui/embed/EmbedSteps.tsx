import { ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { HopsSwitch } from "../player/HopsSwitch.tsx";
import type { Player } from "../player/use-player.ts";
import { usePlaying } from "../player/use-playing.ts";
import { useApp } from "../store-context.tsx";

/** One step forth and back through the program, by hand or by itself, with what happens in words. */
export function EmbedSteps({ player }: { readonly player: Player }) {
  const { steps, at, back, forth, frame, operator } = player;
  const isPlaying = useApp((state) => state.isPlaying);
  const toggle = usePlaying(player);
  useLetterKeys({ ",": back, ".": forth, " ": steps.length > 0 ? toggle : undefined });
  const words = frame?.caption ?? operator?.caption ?? "Before the first step.";
  return (
    <>
      <div className="embed-ctl">
        <IconButton
          icon={ChevronLeft}
          name="Previous step"
          testId="step-prev"
          disabled={back === undefined}
          onClick={back}
        />
        <IconButton
          icon={isPlaying ? Pause : Play}
          name={isPlaying ? "Pause" : "Play"}
          testId="step-play"
          disabled={steps.length === 0}
          onClick={toggle}
        />
        <IconButton
          icon={ChevronRight}
          name="Next step"
          testId="step-next"
          disabled={forth === undefined}
          onClick={forth}
        />
        {frame !== undefined && <HopsSwitch frame={frame} />}
      </div>
      <p className="embed-words" title={words} aria-live="polite">
        <b>{steps[at]?.title ?? "Steps"}</b> <span className="mut">{words}</span>
      </p>
    </>
  );
}
