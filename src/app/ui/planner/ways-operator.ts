import { type AppState, selectedTensor, shown } from "#app/state";

/** The selected operator, or the producer of the selected tensor; else the first of the text. */
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

/** Opens the planner with the ways of an operator. */
export function openWays(
  { openPlanner, planDesk, say }: Pick<AppState, "openPlanner" | "planDesk" | "say">,
  operator: string,
): void {
  openPlanner(true);
  void planDesk().then((desk) => {
    if (desk !== undefined) void desk.weighWays(operator);
    else say({ kind: "refused", text: "The planner could not be loaded. Reload the page." });
  });
}
