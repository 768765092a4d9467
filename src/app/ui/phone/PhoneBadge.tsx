import type { RedistributionBadge } from "#app/scene/graph";
import type { Compiled } from "#compile";
import { RedistributionButton } from "../canvas/BadgeNode.tsx";
import { stepsOf } from "../words.ts";
import { PhoneSteps } from "./PhoneSteps.tsx";

interface Props {
  readonly compiled: Compiled;
  readonly badge: RedistributionBadge;
  /** The redistributions of the button; the first is shown. */
  readonly indices: readonly number[];
  /** Attributes of the button that replace its own. */
  readonly extra?: object;
}

/** A redistribution as a button of the list; its steps open beneath it. */
export function PhoneBadge({ compiled, badge, indices, extra = {} }: Props) {
  const redistribution = compiled.program.redistributions.find(({ index }) => index === indices[0]);
  if (redistribution === undefined) return null;
  const steps = stepsOf(compiled, redistribution);
  return (
    <>
      <div className="rowb">
        <RedistributionButton {...{ redistribution, steps, badge, extra }} isShort={false} />
      </div>
      {indices.map((index) => (
        <PhoneSteps key={index} index={index} />
      ))}
    </>
  );
}
