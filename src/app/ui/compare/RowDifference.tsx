import { type CardParts, cardDifference, type PlanDifference } from "#app/scene/difference";
import type { ListRow } from "#app/scene/graph";

interface Props {
  readonly row: ListRow;
  readonly difference: PlanDifference;
}

/** Difference of a list row from the baseline, in words below it. */
export function RowDifference({ row, difference }: Props) {
  const parts = partsOf(row);
  const found = parts && cardDifference(difference, parts);
  if (found === undefined) return null;
  const { sign = "−", text } = found;
  return (
    <p className="rowdiff" data-testid={`differs-${row.id}`}>
      <i className="dmark" aria-hidden="true">
        {sign}
      </i>
      {text}
    </p>
  );
}

function partsOf(row: ListRow): CardParts | undefined {
  switch (row.kind) {
    case "tensor":
      return { tensors: [row.tensor], leaves: [row.tensor] };
    case "operator":
      return { operators: [row.operator] };
    case "redistribution":
      return { redistributions: [row.redistribution] };
    case "stack": {
      const { runs } = row.stack;
      const tensors = runs.flatMap((run) => run.tensors);
      return {
        ...{ tensors, leaves: tensors, operators: runs.flatMap((run) => run.operators) },
        redistributions: runs.flatMap((run) => run.redistributions),
      };
    }
    default:
      return undefined;
  }
}
