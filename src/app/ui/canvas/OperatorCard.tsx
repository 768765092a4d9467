import { type CSSProperties, memo } from "react";
import { hueOf, unverifiedSentence } from "#app/scene";
import { type AppState, isStale } from "#app/state";
import type { Operator } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { Spoken } from "../atoms/Spoken.tsx";
import { StatusMark } from "../atoms/StatusMark.tsx";
import { keyed } from "../drawing/keyed.ts";
import { FaultMark } from "../index-space/FaultMark.tsx";
import { useAppEquals, useAppStore, useShared } from "../store-context.tsx";
import { useIsPinned, useStatus } from "../use-status.ts";
import { operatorSentence } from "../words.ts";
import { annotationWords, type Word } from "./annotation-words.ts";
import { useRovingNode } from "./roving.ts";

interface Props {
  readonly id: string;
  /** What it is called where it stands. */
  readonly name: string;
  readonly operator: Operator;
  readonly plan: OperatorPlan | undefined;
}

const chosenOperator = ({ selection }: AppState) => selection.operator;

/** One operator: its call, its index space with what is cut, its strategy. */
export const OperatorCard = memo(function OperatorCard({ id, name, operator, plan }: Props) {
  const isSelected = useAppEquals(chosenOperator, operator.id);
  const { select } = useAppStore().getState();
  const stale = useShared(isStale);
  const roving = useRovingNode(id);
  const status = useStatus(operator.id, plan?.status ?? "inferred");
  const isPinned = useIsPinned(operator.id);
  const output = operator.outputs[0]?.tensor;
  return (
    <button
      type="button"
      className={`card ${isSelected ? "sel" : ""}`}
      data-testid={`operator-${operator.name}`}
      aria-pressed={isSelected}
      onClick={() =>
        select({ operator: operator.id, ...(output !== undefined && { tensor: output }) })
      }
      {...roving}
    >
      <Spoken sentence={operatorSentence(operator, plan, status)}>
        <span className="r1">
          <b>{name}</b>
          <span className="src" title={operator.call}>
            = {operator.call}
          </span>
          <FaultMark of={operator.id} />
          {isPinned && <span className="tag">pinned</span>}
          {operator.phase === "recompute" && <span className="tag">recomputed</span>}
          {isWritten(operator) && <StatusMark status={stale ? "stale" : status} />}
          {plan !== undefined && <AxisBars plan={plan} />}
        </span>
        <span className="r2">
          <span className="anno">
            {annotationWords(operator.annotation, plan).map((word) => (
              <AnnotationWord key={word.key} word={word} />
            ))}
          </span>
          {plan?.unverified !== undefined && (
            <span className="tag" title={unverifiedSentence(plan.unverified.rule)}>
              as given: {plan.unverified.rule}
            </span>
          )}
          {plan !== undefined && <StrategyChips plan={plan} />}
        </span>
      </Spoken>
    </button>
  );
});

/** What comes with training follows from the rest: no text can set how it is split. */
function isWritten({ phase = "forward" }: Operator): boolean {
  return phase === "forward";
}

function AnnotationWord({ word }: { readonly word: Word }) {
  const [first, second] = word.hues;
  if (first === undefined) return word.text;
  if (second === undefined) return <span className={`id a${first}`}>{word.text}</span>;
  const colours: CSSProperties & Record<"--c1" | "--c2", string> = {
    "--c1": `var(--axis-${first})`,
    "--c2": `var(--axis-${second})`,
  };
  return (
    <span className="id two" style={colours}>
      {word.text}
    </span>
  );
}

/** From farther away a bar stands for each axis that cuts the operator. */
function AxisBars({ plan }: { readonly plan: OperatorPlan }) {
  const axes = Object.values(plan.strategy.cuts).flatMap((parts) =>
    parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : [])),
  );
  return (
    <span className="axis-bars">
      {keyed(axes.map((text) => ({ text }))).map(({ key, item: { text } }) => (
        <i key={key} className={`a${hueOf(plan.mesh, text)}`} />
      ))}
    </span>
  );
}

function StrategyChips({ plan }: { readonly plan: OperatorPlan }) {
  const cuts = Object.entries(plan.strategy.cuts).flatMap(([name, parts]) => {
    const axes = parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
    return axes.length === 0 ? [] : [{ name, axes }];
  });
  return (
    <span className="strat">
      {cuts.map(({ name, axes }) => (
        <span key={name} className={`sc ${plan.status}`}>
          <span>{name}</span>
          {axes.map((axis) => (
            <AxisChip key={axis} tag={{ text: axis, hue: hueOf(plan.mesh, axis) }} />
          ))}
        </span>
      ))}
    </span>
  );
}
