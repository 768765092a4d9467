import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import type { Player } from "../player/use-player.ts";

/** One step forth and back through the program, with what happens in a line. */
export function EmbedSteps({ player }: { readonly player: Player }) {
  const { steps, at, back, forth, frame, operator } = player;
  useLetterKeys({ ",": back, ".": forth });
  const words = frame?.caption ?? operator?.caption ?? "Before the first step.";
  return (
    <>
      <IconButton
        icon={ChevronLeft}
        name="Previous step"
        testId="step-prev"
        disabled={back === undefined}
        onClick={back}
      />
      <IconButton
        icon={ChevronRight}
        name="Next step"
        testId="step-next"
        disabled={forth === undefined}
        onClick={forth}
      />
      <p className="embed-words" title={words} aria-live="polite">
        <b>{steps[at]?.title ?? "Steps"}</b> <span className="mut">{words}</span>
      </p>
    </>
  );
}
