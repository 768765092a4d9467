import type { Compiled } from "#app/state";
import type { Redistribution } from "#core/program";
import { Alternatives } from "../alternatives/Alternatives.tsx";
import { WithoutButton } from "../check/WithoutButton.tsx";
import { useApp } from "../store-context.tsx";
import { reasonText } from "../words.ts";
import { HeldTable } from "./HeldTable.tsx";
import { StepTable } from "./StepTable.tsx";
import type { Player } from "./use-player.ts";

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
  readonly player: Player;
}

/** What the steps cost, what the frame shows, and why the redistribution is there. */
export function WhyPanel({ compiled, redistribution, player }: Props) {
  return (
    <div className="why">
      <StepTable compiled={compiled} redistribution={redistribution} />
      <p className="caption">
        <span aria-live="polite">{player.frame?.caption}</span>{" "}
        {player.frame !== undefined && <span className="mut rule">{player.frame.rule}</span>}
      </p>
      <Reasons compiled={compiled} redistribution={redistribution} player={player} />
    </div>
  );
}

/** Why the redistribution is there, and a way to see what goes wrong without it. */
export function Reasons({ compiled, redistribution, player }: Props) {
  const notation = useApp((state) => state.settings.notation);
  const texts = redistribution.reasons.map((reason) =>
    reasonText(compiled, redistribution, reason, notation),
  );
  return (
    <>
      <div className="why-head">
        <h3>Why</h3>
        <WithoutButton
          compiled={compiled}
          redistribution={redistribution.index}
          step={player.frame?.step ?? 0}
        />
      </div>
      {[...new Set(texts)].map((text) => (
        <p key={text}>{text}</p>
      ))}
      {player.place !== undefined && <HeldTable compiled={compiled} place={player.place} />}
      <Alternatives key={compiled.source} compiled={compiled} redistribution={redistribution} />
    </>
  );
}
