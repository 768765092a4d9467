import { memo } from "react";
import type { Compiled } from "#compile";
import type { Redistribution } from "#core/program";
import { Alternatives } from "../alternatives/Alternatives.tsx";
import { bytesAsked, useIsAsked } from "../lesson/asked.tsx";
import { WithoutButton } from "../run/WithoutButton.tsx";
import { useApp } from "../store-context.tsx";
import { reasonText } from "../words.ts";
import { HeldTable } from "./HeldTable.tsx";
import { Sequences } from "./Sequences.tsx";
import { StepTable } from "./StepTable.tsx";
import type { Player } from "./use-player.ts";

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
}

interface WhyProps extends Props, Pick<Player, "frame" | "place"> {}

/** The cost of the steps, the state of the frame, and the reason of the redistribution. */
export const WhyPanel = memo(function WhyPanel({
  compiled,
  redistribution,
  frame,
  place,
}: WhyProps) {
  const isKept = useIsAsked("comm");
  if (isKept) return <p className="why">{bytesAsked}</p>;
  return (
    <div className="why">
      <StepTable compiled={compiled} redistribution={redistribution} />
      <p className="caption">
        <span aria-live="polite">{frame?.caption}</span>{" "}
        {frame !== undefined && <span className="mut rule">{frame.rule}</span>}
      </p>
      <Reasons
        compiled={compiled}
        redistribution={redistribution}
        step={frame?.step ?? 0}
        place={place}
      />
      <Sequences redistribution={redistribution} />
    </div>
  );
});

interface ReasonsProps extends Props, Pick<Player, "place"> {
  /** The index of the collective in its redistribution. */
  readonly step: number;
}

/** Why the redistribution is there, and a way to see what goes wrong without it. */
export function Reasons({ compiled, redistribution, step, place }: ReasonsProps) {
  const notation = useApp((state) => state.settings.notation);
  const texts = redistribution.reasons.map((reason) =>
    reasonText(compiled, redistribution, reason, notation),
  );
  return (
    <>
      <div className="why-head">
        <h3>Why</h3>
        <WithoutButton compiled={compiled} redistribution={redistribution.index} step={step} />
      </div>
      {[...new Set(texts)].map((text) => (
        <p key={text}>{text}</p>
      ))}
      <Alternatives key={compiled.source} compiled={compiled} redistribution={redistribution} />
      {place !== undefined && <HeldTable compiled={compiled} place={place} />}
    </>
  );
}
