import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { StepControls } from "../player/StepControls.tsx";
import { usePlayer } from "../player/use-player.ts";
import { useApp } from "../store-context.tsx";

/** The steps of a redistribution below its row, once it has been pressed. */
export function PhoneSteps({ index }: { readonly index: number }) {
  const isOpen = useApp((state) => state.selection.redistribution === index);
  const player = usePlayer();
  if (!isOpen || player?.frame === undefined) return null;
  return (
    <div className="phone-steps">
      <div className={`frame-wrap phase-${player.phase}`}>
        <FrameDrawing frame={player.frame} />
      </div>
      <p>{player.frame.caption}</p>
      <p className="mut">{player.frame.groupsText}</p>
      <StepControls player={player} />
    </div>
  );
}
