import { useEffect } from "react";
import { formatBytes, formatSeconds, hueOf } from "#app/scene";
import { type Compiled, type PolicyOutcome, sameAsOurs, shown } from "#app/state";
import { bytesOf } from "#core/ir";
import type { Redistribution } from "#core/program";
import { FiguresRow, FiguresTable } from "../atoms/FiguresTable.tsx";
import { keyed } from "../drawing/keyed.ts";
import { useApp } from "../store-context.tsx";
import { stepsOf } from "../words.ts";
import { AlikeRow, DeclinedRow, PolicyRow } from "./PolicyRow.tsx";

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
}

/** What each step costs, what cannot be gone below, and what other systems would send. */
export function StepTable({ compiled, redistribution }: Props) {
  const { tensors } = compiled.program.graph;
  const tensor = tensors.find(({ id }) => id === redistribution.tensor);
  const width = tensor === undefined ? 1 : bytesOf(tensor.dtype);
  const { alike, others, declined } = useGrouped(useOutcomes(redistribution));
  const gap = redistribution.elements - redistribution.lowerBound;
  return (
    <FiguresTable head={["Step", "per device", "time"]}>
      {keyed(stepsOf(compiled, redistribution)).map(({ key, item: step }) => (
        <FiguresRow
          key={key}
          tone="on"
          name={
            <>
              {key + 1} {step.collective}{" "}
              {step.axes.map((axis) => (
                <b key={axis} className={`tk a${hueOf(compiled.mesh.mesh, axis)}`}>
                  {axis}{" "}
                </b>
              ))}
            </>
          }
          figures={[formatBytes(step.bytes), formatSeconds(step.seconds)]}
        />
      ))}
      <FiguresRow
        tone="mut"
        name="Lower bound"
        data-testid="lower-bound"
        figures={[
          formatBytes(redistribution.lowerBound * width),
          gap <= 0 ? "met" : `gap ${formatBytes(gap * width)}`,
        ]}
      />
      <AlikeRow outcomes={alike} />
      {others.map((outcome) => (
        <PolicyRow key={outcome.policy} outcome={outcome} ours={redistribution.bytes} />
      ))}
      {declined.map((outcomes) => (
        <DeclinedRow key={outcomes[0]?.reason} outcomes={outcomes} />
      ))}
    </FiguresTable>
  );
}

const none: readonly PolicyOutcome[] = [];

/** What other systems would do; of the same edge before the edit until the answer comes. */
function useOutcomes(redistribution: Redistribution): readonly PolicyOutcome[] {
  const policies = useApp((state) => state.policies);
  const ask = useApp((state) => state.askPolicies);
  useEffect(() => void ask(redistribution), [ask, redistribution]);
  return policies?.of.index === redistribution.index ? policies.outcomes : none;
}

/**
 * Systems that take our steps, others, and those without a plan by their reason; MindSpore's own
 * program has its lists below it.
 */
function useGrouped(outcomes: readonly PolicyOutcome[]) {
  const own = useApp((state) => shown(state)?.system);
  const hasLists = ({ policy }: PolicyOutcome) => policy === "mindspore" && own === policy;
  const planned = outcomes.filter((outcome) => outcome.kind === "planned");
  const alike = planned.filter((outcome) => outcome.why === sameAsOurs && !hasLists(outcome));
  const declined = outcomes.filter((outcome) => outcome.kind === "declined");
  const reasons = [...new Set(declined.map(({ reason }) => reason))];
  return {
    alike,
    others: planned.filter((outcome) => !alike.includes(outcome)),
    declined: reasons.map((reason) => declined.filter((outcome) => outcome.reason === reason)),
  };
}
