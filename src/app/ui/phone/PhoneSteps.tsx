import { selectedRedistribution, shown } from "#app/state";
import type { TensorId } from "#core/ir";
import { CheckResult } from "../check/CheckResult.tsx";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { StepControls } from "../player/StepControls.tsx";
import { StepTable } from "../player/StepTable.tsx";
import { usePlayer } from "../player/use-player.ts";
import { Reasons } from "../player/WhyPanel.tsx";
import { useApp } from "../store-context.tsx";

/** The id of a tensor's row in the list. */
export function rowId(tensor: TensorId): string {
  return `row-${tensor}`;
}

/** The steps of a redistribution below its row, once it has been pressed. */
export function PhoneSteps({ index }: { readonly index: number }) {
  const isOpen = useApp((state) => state.selection.redistribution === index);
  const compiled = useApp(shown);
  const redistribution = useApp(selectedRedistribution);
  const player = usePlayer();
  if (!isOpen || compiled === undefined || redistribution === undefined) return null;
  if (player?.frame === undefined) return null;
  return (
    <section className="phone-steps" aria-label="Steps">
      <FrameDrawing frame={player.frame} phase={player.phase} />
      <p>{player.frame.caption}</p>
      <p className="mut">{player.frame.groupsText}</p>
      <StepControls player={player} />
      <StepTable compiled={compiled} redistribution={redistribution} />
      <Reasons compiled={compiled} redistribution={redistribution} player={player} />
      <CheckResult of={index} focusOn={rowId} />
    </section>
  );
}
