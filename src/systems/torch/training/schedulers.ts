// Schedulers of rates, `torch.optim.lr_scheduler` of PyTorch 2.13: what they are made with.

import { fieldOf } from "#core/records";
import type { Argument, Value } from "#language/python";
import type { Fault } from "./optimizer-faults.ts";
import { rateFault } from "./rate-faults.ts";

/** The parameters of each: those that it is not made without, and behind a bar the others. */
const parameters: Readonly<Record<string, string>> = {
  ChainedScheduler: "schedulers | optimizer",
  ConstantLR: "optimizer | factor total_iters last_epoch",
  CosineAnnealingLR: "optimizer T_max | eta_min last_epoch",
  CosineAnnealingWarmRestarts: "optimizer T_0 | T_mult eta_min last_epoch",
  CyclicLR:
    "optimizer base_lr max_lr | step_size_up step_size_down mode gamma scale_fn scale_mode cycle_momentum base_momentum max_momentum last_epoch",
  ExponentialLR: "optimizer gamma | last_epoch",
  LambdaLR: "optimizer lr_lambda | last_epoch",
  LinearLR: "optimizer | start_factor end_factor total_iters last_epoch",
  MultiStepLR: "optimizer milestones | gamma last_epoch",
  MultiplicativeLR: "optimizer lr_lambda | last_epoch",
  OneCycleLR:
    "optimizer max_lr | total_steps epochs steps_per_epoch pct_start anneal_strategy cycle_momentum base_momentum max_momentum div_factor final_div_factor three_phase last_epoch",
  PolynomialLR: "optimizer | total_iters power last_epoch",
  ReduceLROnPlateau:
    "optimizer | mode factor patience threshold threshold_mode cooldown min_lr eps",
  SequentialLR: "optimizer schedulers milestones | last_epoch",
  StepLR: "optimizer step_size | gamma last_epoch",
};

/** The type of a value that never is an optimizer. */
function strangerOf(value: Value): string | undefined {
  if (value.kind === "iterator" || value.kind === "generator") return "generator";
  if (["int", "float", "str", "list", "tuple", "dict", "none"].includes(value.kind))
    return value.kind;
  const isModule =
    value.kind === "instance" && value.type.mro.some(({ name }) => name === "Module");
  return isModule ? value.type.name : undefined;
}

/** Why a scheduler of rates cannot be made. */
export function schedulerFault(name: string, args: readonly Argument[]): Fault | undefined {
  const said = Object.hasOwn(parameters, name) ? fieldOf(parameters, name) : undefined;
  const [needed = [], others = []] = (said ?? "").split(" | ").map((each) => each.split(" "));
  const names = [...needed, ...others];
  const form = formFault(`${name}.__init__()`, needed, names, args);
  if (form !== undefined) return form;
  const of = (wanted: string) =>
    args.find((each, at) => (each.name ?? names[at]) === wanted)?.value;
  const optimizer = of("optimizer");
  const stranger = name === "ChainedScheduler" ? undefined : optimizer && strangerOf(optimizer);
  if (stranger !== undefined) return ["TypeError", `${stranger} is not an Optimizer`];
  const isSaid = (wanted: string) => ![undefined, "none"].includes(of(wanted)?.kind);
  const isOpen = name === "OneCycleLR" && !isSaid("total_steps");
  if (isOpen && !(isSaid("epochs") && isSaid("steps_per_epoch")))
    return ["ValueError", "You must define either total_steps OR (epochs AND steps_per_epoch)"];
  return rateFault(name, of);
}

/** Why arguments do not fit the parameters. */
export function formFault(
  made: string,
  needed: readonly string[],
  names: readonly string[],
  args: readonly Argument[],
): Fault | undefined {
  const other = args.find((each) => each.name !== undefined && !names.includes(each.name));
  if (other !== undefined)
    return ["TypeError", `${made} got an unexpected keyword argument '${other.name}'`];
  const placed = args.filter((each) => each.name === undefined).length;
  if (placed > names.length) {
    const message = `${made} takes from ${needed.length + 1} to ${names.length + 1} positional arguments but ${placed + 1} were given`;
    return ["TypeError", message];
  }
  const missing = needed.filter(
    (each, at) => at >= placed && !args.some((given) => given.name === each),
  );
  if (missing.length === 0) return undefined;
  const words = missing.map((each) => `'${each}'`).join(" and ");
  const count = `${missing.length} required positional argument${missing.length > 1 ? "s" : ""}`;
  return ["TypeError", `${made} missing ${count}: ${words}`];
}
