import { useEffect, useState } from "react";
import { fasterText } from "#app/scene/text";
import { isStale, shown } from "#app/state";
import type { EdgeComparison, OwnPlan, PolicyOutcome } from "#compile";
import type { Redistribution } from "#core/program";
import type { StepsGesture } from "#edit";
import { TableHead } from "../atoms/TableHead.tsx";
import { deltaLines } from "../gesture/delta.ts";
import { stepsPreviewOf } from "../gesture/same-gesture.ts";
import { useApp } from "../store-context.tsx";
import { DeclinedRow, OwnRow, PolicyRow } from "./PolicyRow.tsx";

interface Props {
  readonly redistribution: Redistribution;
}

/** All sequences of steps for a redistribution; a press chooses one. */
export function Sequences({ redistribution }: Props) {
  const comparison = useComparison(redistribution);
  return comparison === undefined ? null : (
    <Compared redistribution={redistribution} comparison={comparison} />
  );
}

/** The sequences of the edge; until the answer comes, those that it had before the edit. */
function useComparison(redistribution: Redistribution): EdgeComparison | undefined {
  const policies = useApp((state) => state.policies);
  const ask = useApp((state) => state.askPolicies);
  useEffect(() => void ask(redistribution), [ask, redistribution]);
  return policies?.of.index === redistribution.index ? policies : undefined;
}

function Compared({ redistribution, comparison }: Props & { readonly comparison: EdgeComparison }) {
  const { ours, outcomes } = comparison;
  const [looked, setLooked] = useState<StepsGesture["steps"]>();
  const stale = useApp(isStale);
  const write = useApp((state) => state.gesture);
  const own = ours.find(({ isDefault }) => isDefault);
  const faster = fasterText(comparison);
  const chosen = chosenOf(redistribution, own);
  const gestureOf = (steps: StepsGesture["steps"]): StepsGesture => ({
    kind: "choose-steps",
    redistribution: redistribution.index,
    steps,
  });
  const choiceOf = (steps: StepsGesture["steps"]) => ({
    isChosen: chosen === steps,
    isStale: stale,
    choose: () => void write(gestureOf(steps)),
    look: (isLooked: boolean) => setLooked(isLooked ? steps : undefined),
  });
  if (own === undefined && outcomes.length === 0) return null;
  return (
    <section className="sequences" aria-label="Sequences of steps" data-testid="sequences">
      <h3>Sequences of steps</h3>
      {faster !== undefined && <p className="faster">{faster}</p>}
      <table className="tbl">
        <TableHead names={["Whose", "steps", "per device", "time"]} figuresFrom={1} />
        <tbody>
          {own !== undefined &&
            ours.map((plan) => (
              <OwnRow
                key={plan.sent}
                plan={plan}
                own={own}
                isOnly={ours.length === 1}
                choice={choiceOf(plan.isDefault ? "default" : plan.sent)}
              />
            ))}
          {plannedOf(outcomes).map((outcome) => (
            <PolicyRow
              key={outcome.policy}
              outcome={outcome}
              own={own}
              choice={choiceOf(outcome.policy)}
            />
          ))}
          {declinedOf(outcomes).map((alike) => (
            <DeclinedRow key={alike[0]?.reason} outcomes={alike} />
          ))}
        </tbody>
      </table>
      {looked !== undefined && looked !== chosen && <Looked gesture={gestureOf(looked)} />}
    </section>
  );
}

/** The sequence that the text chooses, if it is in the list. */
function chosenOf(
  { chosen }: Redistribution,
  own: OwnPlan | undefined,
): string | number | undefined {
  if (chosen === undefined || chosen.declined !== undefined) return "default";
  return chosen.steps === own?.sent ? "default" : chosen.steps;
}

function plannedOf(outcomes: readonly PolicyOutcome[]) {
  return outcomes.filter((outcome) => outcome.kind === "planned");
}

/** Systems without a plan, grouped by reason. */
function declinedOf(outcomes: readonly PolicyOutcome[]) {
  const declined = outcomes.filter((outcome) => outcome.kind === "declined");
  const reasons = [...new Set(declined.map(({ reason }) => reason))];
  return reasons.map((reason) => declined.filter((outcome) => outcome.reason === reason));
}

/** The effect of a choice on the whole plan, while the choice is hovered or focused. */
function Looked({ gesture }: { readonly gesture: StepsGesture }) {
  const preview = useApp((state) => state.preview);
  const { steps, redistribution } = gesture;
  useEffect(() => {
    const handle = setTimeout(
      () => void preview([{ kind: "choose-steps", steps, redistribution }]),
      120,
    );
    return () => clearTimeout(handle);
  }, [preview, steps, redistribution]);
  const known = useApp((state) => stepsPreviewOf(state.previews.known, gesture));
  const now = useApp(shown);
  if (known === undefined) return null;
  const { outcome } = known;
  const text = outcome.ok ? deltaLines(known, now).join(", ") : outcome.reason;
  return (
    <p className="mut" role="status">
      {outcome.ok ? `${outcome.label}: ${text}` : text}
    </p>
  );
}
