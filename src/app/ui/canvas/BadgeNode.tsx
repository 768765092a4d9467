import { memo } from "react";
import { badgeCard } from "#app/scene/card";
import type { RedistributionBadge } from "#app/scene/graph";
import { type AppState, selectedRedistribution } from "#app/state";
import type { CollectiveStep, Redistribution } from "#core/program";
import { Spoken } from "../atoms/Spoken.tsx";
import { bytesAsked, useIsAsked } from "../lesson/asked.tsx";
import { useAppEquals, useAppStore } from "../store-context.tsx";
import { redistributionSentence } from "../words.ts";
import { CardPieces } from "./CardPieces.tsx";
import { useRovingNode } from "./roving.ts";

interface Props {
  readonly id: string;
  readonly redistribution: Redistribution;
  /** Collectives of the redistribution, in order. */
  readonly steps: readonly CollectiveStep[];
  readonly badge: RedistributionBadge;
  readonly isShort: boolean;
}

/** Redistribution on its edge; a press shows its steps. */
export const BadgeNode = memo(function BadgeNode({ id, ...redistribution }: Props) {
  const roving = useRovingNode(id);
  return (
    <div className="badge-node">
      <RedistributionButton {...redistribution} extra={roving} />
    </div>
  );
});

interface ButtonProps extends Omit<Props, "id"> {
  readonly extra?: object;
}

const playedRedistribution = (state: AppState) => selectedRedistribution(state)?.index;

export function RedistributionButton(props: ButtonProps) {
  const { redistribution, steps, badge, isShort, extra = {} } = props;
  const { select, showSheet } = useAppStore().getState();
  const { index, tensor } = redistribution;
  const isSelected = useAppEquals(playedRedistribution, index);
  const isKept = useIsAsked("comm");
  const shown = isKept ? { ...badge, numbers: "?" } : badge;
  return (
    <button
      type="button"
      className={`badge ${isSelected ? "sel" : ""} ${isShort ? "sm" : ""}`}
      data-testid={`redist-${index}`}
      data-tensor={tensor}
      data-collectives={steps.map(({ collective }) => collective).join(" ")}
      data-groups={JSON.stringify(steps[0]?.groups ?? [])}
      aria-pressed={isSelected}
      onClick={() => {
        select({ redistribution: index, tensor });
        showSheet("steps");
      }}
      {...extra}
    >
      <Spoken sentence={isKept ? bytesAsked : redistributionSentence(redistribution, steps)}>
        {badgeCard(shown, isShort).rows.map(({ start, end }) => (
          <CardPieces key={shown.numbers} of={[...start, ...end]} />
        ))}
      </Spoken>
    </button>
  );
}
