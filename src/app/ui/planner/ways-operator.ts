import { type AppState, selectedTensor, shown } from "#app/state";

/** The operator that is selected, or makes the tensor that is; else the first one of the text. */
export function waysOperator(state: AppState): string | undefined {
  const operators = shown(state)?.graph.operators ?? [];
  const tensor = selectedTensor(state);
  const found =
    operators.find(({ id }) => id === state.selection.operator) ??
    operators.find(({ id }) => id === tensor?.producer) ??
    operators.find(({ inputs }) => inputs.some((operand) => operand.tensor === tensor?.id)) ??
    operators[0];
  return found?.name;
}
