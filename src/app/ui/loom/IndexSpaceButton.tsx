import { projectedOperator } from "#app/state";
import { useApp } from "../store-context.tsx";

/** Opens the index space of the operator that is looked at. */
export function IndexSpaceButton() {
  const operator = useApp(projectedOperator);
  const openSheet = useApp((state) => state.openSheet);
  if (operator === undefined) return null;
  return (
    <button type="button" className="btn line space-open" onClick={() => openSheet("projection")}>
      Index space of {operator.name}
    </button>
  );
}
