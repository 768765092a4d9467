import { useEffect, useRef } from "react";
import { allSteps } from "#app/scene";
import { selectedRedistribution, shown } from "#app/state";
import type { Compiled } from "#compile";
import type { OperatorId, TensorId } from "#core/ir";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { useIsAsked } from "../lesson/asked.tsx";
import { HopButtons } from "../player/HopButtons.tsx";
import { HopsSwitch } from "../player/HopsSwitch.tsx";
import { OperatorPicture, OperatorWords } from "../player/OperatorStill.tsx";
import { Sequences } from "../player/Sequences.tsx";
import { StepControls } from "../player/StepControls.tsx";
import { StepTable } from "../player/StepTable.tsx";
import { TravelSlider } from "../player/TravelSlider.tsx";
import { usePlayer } from "../player/use-player.ts";
import { useTravel } from "../player/use-travel.ts";
import { Reasons } from "../player/WhyPanel.tsx";
import { Stills } from "../run/Stills.tsx";
import { useApp } from "../store-context.tsx";

/** The id of a tensor's row in the list. */
export function rowId(tensor: TensorId): string {
  return `row-${tensor}`;
}

/** The steps of a redistribution below its row, once it has been pressed. */
export function PhoneSteps({ index }: { readonly index: number }) {
  const isOpen = useApp(
    (state) => state.selection.redistribution === index && state.playedStep === undefined,
  );
  const compiled = useApp(shown);
  const redistribution = useApp(selectedRedistribution);
  const player = usePlayer();
  const isKept = useIsAsked("comm");
  const frame = player?.frame;
  const travel = useTravel(frame, player?.phase ?? "move");
  if (!isOpen || compiled === undefined || redistribution === undefined) return null;
  if (player === undefined || frame === undefined) return null;
  return (
    <section className="phone-steps" aria-label="Steps">
      <InSight of={`${index}`} />
      <StepControls player={player} />
      <Stills place={player.place}>
        <FrameDrawing frame={frame} phase={player.phase} share={travel.share} />
      </Stills>
      {player.phase === "move" && <TravelSlider frame={frame} travel={travel} />}
      <p>{frame.caption}</p>
      {!isKept && <p className="mut">{frame.rule}</p>}
      <p className="mut">
        {frame.sidesText} {frame.groupsText}
      </p>
      <div className="hops-row">
        <HopsSwitch frame={frame} />
        <HopButtons player={player} />
      </div>
      {!isKept && (
        <>
          <StepTable compiled={compiled} redistribution={redistribution} />
          <Sequences redistribution={redistribution} />
          <Reasons
            compiled={compiled}
            redistribution={redistribution}
            step={frame.step}
            place={player.place}
          />
        </>
      )}
    </section>
  );
}

/** The operator of the present step, shown below its row. */
export function PhoneOperator({ operator }: { readonly operator: OperatorId }) {
  const isHere = useApp((state) => operatorAt(shown(state), state.playedStep) === operator);
  return isHere ? <OperatorSteps /> : null;
}

/** The steps of operators that have no row: those of training. */
export function PhoneOtherOperator({ listed }: { readonly listed: ReadonlySet<OperatorId> }) {
  const operator = useApp((state) => operatorAt(shown(state), state.playedStep));
  return operator === undefined || listed.has(operator) ? null : <OperatorSteps />;
}

function OperatorSteps() {
  const compiled = useApp(shown);
  const player = usePlayer();
  if (compiled === undefined || player?.operator === undefined) return null;
  return (
    <section className="phone-steps" aria-label="Steps">
      <InSight of={player.operator.id} />
      <StepControls player={player} />
      <Stills place={player.place}>
        <OperatorPicture operator={player.operator} />
      </Stills>
      <OperatorWords
        compiled={compiled}
        operator={player.operator}
        place={player.place}
        count={player.steps[player.at]?.count ?? 1}
        microbatches={player.steps[player.at]?.microbatches ?? 1}
      />
    </section>
  );
}

/** Begins the walk through the program. */
export function PhoneWalk() {
  const player = usePlayer();
  if (player === undefined || player.steps.length === 0) return null;
  return (
    <button type="button" className="btn line walk-btn" onClick={() => player.goToStep(0)}>
      Step through the program
    </button>
  );
}

/**
 * Scrolls the steps into sight when they move to another row: to their beginning where they are
 * higher than the room, or soon will be, since the numbers of a run come later.
 */
function InSight({ of }: { readonly of: string }) {
  const here = useRef<HTMLElement>(null);
  useEffect(() => {
    const steps = here.current?.parentElement;
    if (of === "" || steps === undefined || steps === null) return;
    steps.scrollIntoView({ block: "start" });
  }, [of]);
  return <i ref={here} aria-hidden="true" />;
}

function operatorAt(
  compiled: Compiled | undefined,
  place: number | undefined,
): OperatorId | undefined {
  if (compiled === undefined || place === undefined) return undefined;
  const step = allSteps(compiled.program)[place];
  return step?.kind === "local" ? step.operator : undefined;
}
