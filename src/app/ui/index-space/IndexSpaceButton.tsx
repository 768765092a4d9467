import { projectedOperator, selectedTensor } from "#app/state";
import { useApp } from "../store-context.tsx";

/** Opens the index space of the operator that is looked at. */
export function IndexSpaceButton() {
  const operator = useApp(projectedOperator);
  const tensor = useApp(selectedTensor);
  const openSheet = useApp((state) => state.openSheet);
  if (operator === undefined) return null;
  const { id, name, inputs } = operator;
  const isMade = tensor?.producer === id;
  const isRead = !isMade && inputs.some((operand) => operand.tensor === tensor?.id);
  return (
    <button type="button" className="btn line space-open" onClick={() => openSheet("projection")}>
      <span>
        Index space of {name}
        {isRead && (
          <>
            , which reads <b>{tensor?.name}</b>
          </>
        )}
      </span>
    </button>
  );
}
