import { selectedRedistribution, shown } from "#app/state";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { CollectiveIcon } from "../atoms/CollectiveIcon.tsx";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { useApp } from "../store-context.tsx";
import { StepControls } from "./StepControls.tsx";
import { usePlayer } from "./use-player.ts";
import { WhyPanel } from "./WhyPanel.tsx";

/** The steps of one redistribution: before, what moves, after; and why it is there. */
export function StepView() {
  const player = usePlayer();
  const compiled = useApp(shown);
  const redistribution = useApp(selectedRedistribution);
  if (compiled === undefined) return <section className="player" aria-label="Redistribution" />;
  if (redistribution === undefined || player === undefined) return <NoSteps />;
  const { frame, phase } = player;
  return (
    <section className="player" aria-label="Redistribution">
      <div className="head">
        {frame !== undefined && <CollectiveIcon collective={frame.collective} size={16} />}
        <h2>{frame?.collective ?? "Redistribution"}</h2>
        {frame?.axes.map((tag) => (
          <AxisChip key={tag.text} tag={tag} />
        ))}
        <span className="mut mono">{redistribution.tensor}</span>
        <StepControls player={player} />
      </div>
      <div className="pbody">
        <div className="frames">
          {frame !== undefined && (
            <>
              <div className={`frame-wrap phase-${phase}`}>
                <FrameDrawing frame={frame} />
              </div>
              <p className="groups" title={frame.groupsText}>
                {frame.groupsText}
              </p>
            </>
          )}
        </div>
        <WhyPanel compiled={compiled} redistribution={redistribution} caption={frame?.caption} />
      </div>
    </section>
  );
}

/** The same on one line, where the canvas needs the room. */
export function StepBar() {
  const player = usePlayer();
  const redistribution = useApp(selectedRedistribution);
  if (redistribution === undefined || player === undefined) {
    return (
      <section className="stepbar" aria-label="Redistribution">
        No device has to send anything.
      </section>
    );
  }
  const { frame } = player;
  return (
    <section className="stepbar" aria-label="Redistribution">
      {frame !== undefined && (
        <>
          <CollectiveIcon collective={frame.collective} size={16} />
          <b className="num">{frame.collective}</b>
          {frame.axes.map((tag) => (
            <AxisChip key={tag.text} tag={tag} />
          ))}
        </>
      )}
      <span className="mut mono">{redistribution.tensor}</span>
      <StepControls player={player} />
    </section>
  );
}

function NoSteps() {
  return (
    <section className="player is-empty" aria-label="Redistribution">
      <div className="head">
        <h2>Redistribution</h2>
      </div>
      <p className="empty-player">
        Every operator finds its operands where it needs them: no device has to send anything.
      </p>
    </section>
  );
}
