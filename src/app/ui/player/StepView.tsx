import { displayNames } from "#app/scene";
import { phaseOf } from "#app/scene/text";
import { selectedRedistribution, shown, showsUpstreamRun } from "#app/state";
import type { Compiled } from "#compile";
import { unknownTensor } from "#core/ir";
import type { Redistribution } from "#core/program";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { CollectiveIcon } from "../atoms/CollectiveIcon.tsx";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { RunBrief } from "../run/RunBrief.tsx";
import { RunButton, RunHowButton } from "../run/RunButton.tsx";
import { Stills } from "../run/Stills.tsx";
import { Splitter } from "../Splitter.tsx";
import { useApp } from "../store-context.tsx";
import { LowerTabs } from "../timeline/LowerTabs.tsx";
import { HopButtons } from "./HopButtons.tsx";
import { HopsSwitch } from "./HopsSwitch.tsx";
import { OperatorName, OperatorPicture, OperatorWords } from "./OperatorStill.tsx";
import { StepControls } from "./StepControls.tsx";
import { TravelSlider } from "./TravelSlider.tsx";
import { UpstreamRun } from "./UpstreamRun.tsx";
import { UpstreamRunSwitch } from "./UpstreamRunSwitch.tsx";
import { type Player, usePlayer } from "./use-player.ts";
import { useTravel } from "./use-travel.ts";
import { WhyPanel } from "./WhyPanel.tsx";

/**
 * Steps of the program one by one: the blocks on each device, the moving pieces, and the reasons.
 */
export function StepView() {
  const player = usePlayer();
  const compiled = useApp(shown);
  const redistribution = useApp(selectedRedistribution);
  const showsUpstream = useApp(showsUpstreamRun);
  if (compiled === undefined || player === undefined) {
    return <section className="player" aria-label="Redistribution" />;
  }
  const isEmpty = redistribution === undefined && player.operator === undefined && !showsUpstream;
  return (
    <section className={isEmpty ? "player is-empty" : "player"} aria-label="Redistribution">
      {!isEmpty && <Splitter panel="player" />}
      <div className="head">
        <LowerTabs />
        {showsUpstream ? (
          <h2 className="sys-title">All steps</h2>
        ) : (
          <>
            <StepName compiled={compiled} redistribution={redistribution} player={player} />
            <StepControls player={player} />
          </>
        )}
        <UpstreamRunSwitch />
        <RunButton />
        <RunHowButton />
      </div>
      <StepBody compiled={compiled} redistribution={redistribution} player={player} isWide />
    </section>
  );
}

/**
 * Step on one line, for screens where the canvas needs the room; the details are in the sheet
 * below.
 */
export function StepBar() {
  const player = usePlayer();
  const compiled = useApp(shown);
  const redistribution = useApp(selectedRedistribution);
  return (
    <section className="stepbar" aria-label="Redistribution">
      {compiled !== undefined && player !== undefined && (
        <>
          <StepName compiled={compiled} redistribution={redistribution} player={player} />
          <StepControls player={player} />
        </>
      )}
      <RunButton />
    </section>
  );
}

/** Details of the step for which the step bar has no room, as a panel of the sheet. */
export function StepSheet() {
  const player = usePlayer();
  const compiled = useApp(shown);
  const redistribution = useApp(selectedRedistribution);
  if (compiled === undefined || player === undefined) return null;
  return (
    <section className="step-sheet" aria-label="Steps">
      <UpstreamRunSwitch />
      <StepBody compiled={compiled} redistribution={redistribution} player={player} />
    </section>
  );
}

interface StepProps {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution | undefined;
  readonly player: Player;
}

function StepName({ compiled, redistribution, player }: StepProps) {
  if (player.operator !== undefined) return <OperatorName operator={player.operator} />;
  // The tab's label shows the same heading, so this one is visually hidden.
  if (redistribution === undefined)
    return (
      <div className="vh">
        <h2>Steps</h2>
      </div>
    );
  return <CollectiveName compiled={compiled} redistribution={redistribution} player={player} />;
}

type CollectiveProps = StepProps & { readonly redistribution: Redistribution };

/** Name of a collective: its kind, axes and tensor, and its phase in a training step. */
function CollectiveName({ compiled, redistribution, player: { frame } }: CollectiveProps) {
  const { program } = compiled;
  const phase = phaseOf(program, redistribution.index);
  const name = displayNames(compiled).tensor(redistribution.tensor);
  return (
    <>
      {frame !== undefined && <CollectiveIcon collective={frame.collective} size={16} />}
      <h2 title={frame?.collective}>{frame?.collective ?? "Redistribution"}</h2>
      {frame?.axes.map((tag) => (
        <AxisChip key={tag.text} tag={tag} />
      ))}
      <span className="mut mono step-tensor" title={redistribution.tensor}>
        {name}
      </span>
      {phase !== "forward" && <span className="tag">{phase}</span>}
    </>
  );
}

interface BodyProps extends StepProps {
  /** Whether the panel contains the run's results too, since no other panel shows them. */
  readonly isWide?: boolean;
}

function StepBody({ compiled, redistribution, player, isWide = false }: BodyProps) {
  const showsUpstream = useApp(showsUpstreamRun);
  const brief = isWide && <RunBrief />;
  if (showsUpstream) {
    return (
      <>
        {brief}
        <UpstreamRun />
      </>
    );
  }
  if (player.operator !== undefined) {
    return (
      <div className="pbody">
        <div className="frames">
          <Stills place={player.place}>
            <OperatorPicture operator={player.operator} />
          </Stills>
        </div>
        <div className="explained">
          {brief}
          <OperatorWords
            compiled={compiled}
            operator={player.operator}
            place={player.place}
            count={player.steps[player.at]?.count ?? 1}
            microbatches={player.steps[player.at]?.microbatches ?? 1}
          />
        </div>
      </div>
    );
  }
  if (redistribution === undefined) {
    return (
      <>
        {brief}
        <NothingSent compiled={compiled} />
      </>
    );
  }
  return (
    <div className="pbody">
      <CollectivePicture player={player} />
      <div className="explained">
        {brief}
        <WhyPanel
          compiled={compiled}
          redistribution={redistribution}
          frame={player.frame}
          place={player.place}
        />
      </div>
    </div>
  );
}

function CollectivePicture({ player }: { readonly player: Player }) {
  const { frame, phase, place } = player;
  const travel = useTravel(frame, phase);
  return (
    <div className="frames">
      {frame !== undefined && (
        <Stills place={place}>
          <FrameDrawing frame={frame} phase={phase} share={travel.share} />
          <div className="frame-foot">
            <p className="groups" title={`${frame.sidesText} ${frame.groupsText}`.trim()}>
              {frame.sidesText} {frame.groupsText}
            </p>
            {phase === "move" && <TravelSlider frame={frame} travel={travel} />}
            <HopsSwitch frame={frame} />
            <HopButtons player={player} />
          </div>
        </Stills>
      )}
    </div>
  );
}

function NothingSent({ compiled }: { readonly compiled: Compiled }) {
  return <p className="empty-player">{whyNothing(compiled)}</p>;
}

/**
 * Reason why there is no redistribution. For a tensor without a known shape the traffic is unknown.
 */
function whyNothing({ graph }: Compiled): string {
  if (graph.operators.length === 0) return "No operators yet, so there are no steps.";
  const unknown = unknownTensor(graph);
  if (unknown !== undefined)
    return `No tensor of known shape has to be sent. The shape of ${unknown.name} is unknown, and so is the cost of sending it.`;
  return "Every operator finds its operands where it needs them: no device has to send anything.";
}
