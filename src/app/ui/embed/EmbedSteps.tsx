import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { HopsSwitch } from "../player/HopsSwitch.tsx";
import { BackButton, ForthButton, PlayButton } from "../player/StepButtons.tsx";
import type { Player } from "../player/use-player.ts";
import { usePlaying } from "../player/use-playing.ts";

/**
 * Controls to step back and forth through the program or to play it, with a sentence for each step.
 */
export function EmbedSteps({ player }: { readonly player: Player }) {
  const { steps, at, back, forth, frame, operator } = player;
  const toggle = usePlaying(player);
  useLetterKeys({ ",": back, ".": forth, " ": steps.length > 0 ? toggle : undefined });
  const words = frame?.caption ?? operator?.caption ?? "Before the first step.";
  return (
    <>
      <div className="embed-ctl">
        <BackButton player={player} />
        <PlayButton player={player} toggle={toggle} />
        <ForthButton player={player} />
        {frame !== undefined && <HopsSwitch frame={frame} />}
      </div>
      <p className="embed-words" title={words} aria-live="polite">
        <b>{steps[at]?.title ?? "Steps"}</b> <span className="mut">{words}</span>
      </p>
    </>
  );
}
