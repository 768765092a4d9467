import { type Graph, tensorsById } from "#core/ir";
import { type Expr, operatorBody, type Setting } from "#core/ir/body";

/**
 * The settings that the steps of a training program get, and the variables that each step replaces.
 */
export interface StepState {
  /** The numbers that an update is told at each step, with those of the first one. */
  readonly settings: readonly { readonly setting: Setting; readonly value: number }[];
  /** Pairs of variables: an input, and the result that takes its place in the next step. */
  readonly replaced: readonly (readonly [old: string, made: string])[];
}

/** The words of a file that has a state. */
export const stateNames: readonly string[] =
  "lr step corrections correction1 correction2 STATE advanced planned math".split(" ");

/** The numbers that the updates of a graph are told at each step, each once. */
export function settingsOf(graph: Graph): StepState["settings"] {
  const tensors = tensorsById(graph);
  const found = new Map<string, StepState["settings"][number]>();
  const visit = (expr: Expr): void => {
    if (expr.kind === "apply") expr.args.forEach(visit);
    if (expr.kind === "number" && expr.setting !== undefined)
      found.set(expr.setting.name, { setting: expr.setting, value: expr.value });
  };
  for (const operator of graph.operators) {
    if (operator.phase !== "update") continue;
    const { body } = operatorBody(operator, (tensor) => tensors.get(tensor)?.shape ?? []);
    for (const { value } of body.outputs) visit(value);
  }
  return [...found.values()].toSorted((a, b) => a.setting.name.localeCompare(b.setting.name));
}

/** The parameters of a function that is told them, after others: `, step=1, lr=0.001`. */
export function settingParameters({ settings }: StepState): string {
  const rate = settings.find(({ setting }) => setting.name === "lr");
  return rate === undefined ? "" : `, step=1, lr=${rate.value}`;
}

/** The variables of corrections, and how each is computed from the number of the step. */
export function correctionsOf({ settings }: StepState): readonly {
  readonly name: string;
  readonly beta: number;
}[] {
  return settings.flatMap(({ setting }) => (setting.name === "lr" ? [] : [setting]));
}

/** The line that makes the corrections of a step; none where the optimizer has none. */
export function correctionLines(state: StepState): readonly string[] {
  const names = correctionsOf(state).map(({ name }) => name);
  return names.length === 0 ? [] : [`${names.join(", ")} = corrections(step)`];
}

/** The table of what a step replaces. */
export function stateText({ replaced }: StepState): string {
  const lines = replaced.map(([old, made]) => `    "${old}": "${made}",\n`);
  return `# What a step replaces: parameters and the state of their optimizer, and the result that takes the place of each.
STATE = {
${lines.join("")}}
`;
}
