import type { RedistributionBadge } from "#app/scene/graph";
import { keyed } from "../drawing/keyed.ts";
import { AxisChip } from "./AxisChip.tsx";
import { CollectiveIcon } from "./CollectiveIcon.tsx";

interface Props {
  readonly steps: RedistributionBadge["steps"];
  /** Whether the name of each collective stands beside its sign. */
  readonly hasWords: boolean;
}

/** The collectives of a redistribution in a row, each with the axes that it runs over. */
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
