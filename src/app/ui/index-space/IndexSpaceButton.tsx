import { displayNames } from "#app/scene";
import { projectedOperator, selectedTensor, shown } from "#app/state";
import { useApp } from "../store-context.tsx";

/** Button that opens the index space of the selected operator. */
export function IndexSpaceButton() {
  const operator = useApp(projectedOperator);
  const tensor = useApp(selectedTensor);
  const compiled = useApp(shown);
  const openSheet = useApp((state) => state.openSheet);
  if (operator === undefined) return null;
  const { id, inputs } = operator;
  const name = compiled === undefined ? operator.name : displayNames(compiled).operator(id);
  const isMade = tensor?.producer === id;
  const isRead = !isMade && inputs.some((operand) => operand.tensor === tensor?.id);
  return (
    <button
      type="button"
      className="btn line space-open"
      title={operator.name}
      onClick={() => openSheet("projection")}
    >
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
