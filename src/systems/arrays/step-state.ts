import { type Graph, tensorsById } from "#core/ir";
import { type Expr, operatorBody, type Setting } from "#core/ir/body";

/**
 * Settings passed to the steps of a training program, and the variables that each step replaces.
 */
export interface StepState {
  /** Settings of an update, which change per step, with their values in the first step. */
  readonly settings: readonly { readonly setting: Setting; readonly value: number }[];
  /** Pairs of variables: an input, and the result that replaces it in the next step. */
  readonly replaced: readonly (readonly [old: string, made: string])[];
}

/** Names used in files with a state. */
export const stateNames: readonly string[] =
  "lr step corrections correction1 correction2 STATE advanced planned math".split(" ");

/** Settings of a graph's updates, each once. */
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

/** Parameters appended to a function that receives the settings: `, step=1, lr=0.001`. */
export function settingParameters({ settings }: StepState): string {
  const rate = settings.find(({ setting }) => setting.name === "lr");
  return rate === undefined ? "" : `, step=1, lr=${rate.value}`;
}

/** Variables of the bias corrections, with the beta from which each is computed. */
export function correctionsOf({ settings }: StepState): readonly {
  readonly name: string;
  readonly beta: number;
}[] {
  return settings.flatMap(({ setting }) => (setting.name === "lr" ? [] : [setting]));
}

/** The line that computes the corrections of a step; empty when the optimizer has none. */
export function correctionLines(state: StepState): readonly string[] {
  const names = correctionsOf(state).map(({ name }) => name);
  return names.length === 0 ? [] : [`${names.join(", ")} = corrections(step)`];
}

/** The table of variables that a step replaces. */
export function stateText({ replaced }: StepState): string {
  const lines = replaced.map(([old, made]) => `    "${old}": "${made}",\n`);
  return `# What a step replaces: parameters and the state of their optimizer, and the result that takes the place of each.
STATE = {
${lines.join("")}}
`;
}
