import { memo } from "react";
import type { Hue } from "#app/scene";
import { cutHues, operatorCard } from "#app/scene/card";
import { type AppState, isStale } from "#app/state";
import type { Operator } from "#core/ir";
import type { OperatorPlan } from "#core/plan";
import { Spoken } from "../atoms/Spoken.tsx";
import { keyed } from "../drawing/keyed.ts";
import { FaultMark } from "../index-space/FaultMark.tsx";
import { useAppEquals, useAppStore, useShared } from "../store-context.tsx";
import { useIsPinned, useStatus } from "../use-status.ts";
import { operatorSentence } from "../words.ts";
import { CardRowView } from "./CardPieces.tsx";
import { useRovingNode } from "./roving.ts";

interface Props {
  readonly id: string;
  /** Name of the operator on this card. */
  readonly name: string;
  readonly operator: Operator;
  readonly plan: OperatorPlan | undefined;
}

const chosenOperator = ({ selection }: AppState) => selection.operator;

/** Card of an operator: its call, its index space with the cuts, its strategy. */
export const OperatorCard = memo(function OperatorCard({ id, name, operator, plan }: Props) {
  const isSelected = useAppEquals(chosenOperator, operator.id);
  const { select } = useAppStore().getState();
  const stale = useShared(isStale);
  const roving = useRovingNode(id);
  const status = useStatus(operator.id, plan?.status ?? "inferred");
  const isPinned = useIsPinned(operator.id);
  const output = operator.outputs[0]?.tensor;
  const facts = { name, operator, plan, isPinned, status: stale ? ("stale" as const) : status };
  const [first, second] = operatorCard(facts).rows;
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
        <CardRowView
          className="r1"
          row={first}
          between={<FaultMark of={operator.id} />}
          behind={<AxisBars hues={cutHues(plan)} />}
        />
        <CardRowView className="r2" row={second} />
      </Spoken>
    </button>
  );
});

/** One bar per axis that cuts the operator, for small zooms. */
function AxisBars({ hues }: { readonly hues: readonly Hue[] }) {
  return (
    <span className="axis-bars">
      {keyed(hues).map(({ key, item }) => (
        <i key={key} className={`a${item}`} />
      ))}
    </span>
  );
}
