import type { RedistributionBadge } from "#app/scene/graph";
import { keyed } from "../drawing/keyed.ts";
import { AxisChip } from "./AxisChip.tsx";
import { CollectiveIcon } from "./CollectiveIcon.tsx";

interface Props {
  readonly steps: RedistributionBadge["steps"];
  /** Whether each icon has the collective's name beside it. */
  readonly hasWords: boolean;
}

/** Collectives of a redistribution in a row, each with its mesh axes. */
export function CollectiveSteps({ steps, hasWords }: Props) {
  return keyed(steps).map(({ key, item }) => (
    <span key={key} className="bstep">
      <CollectiveIcon collective={item.collective} size={12} />
      {hasWords && <span>{item.collective}</span>}
      {keyed(item.axes).map(({ key: axis, item: tag }) => (
        <AxisChip key={axis} tag={tag} />
      ))}
    </span>
  ));
}
