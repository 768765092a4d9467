// The names that optimizers and schedulers of rates have in PyTorch 2.13.

import { fieldOf } from "#core/records";
import { assumedOf } from "#language/document/bindings";
import { hostFunction } from "#language/document/bindings/values";
import type { HostType, Value } from "#language/python";
import { formFault } from "./schedulers.ts";

const namesIn = (...texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.join(" ").split(/\s+/u));

const ofOptimizers = `OptimizerPostHook OptimizerPreHook add_param_group defaults load_state_dict
  param_groups profile_hook_step register_load_state_dict_post_hook
  register_load_state_dict_pre_hook register_state_dict_post_hook register_state_dict_pre_hook
  register_step_post_hook register_step_pre_hook state state_dict step zero_grad`;

/** The names of an optimizer. */
export function optimizerNames(name: string): ReadonlySet<string> {
  return namesIn(ofOptimizers, name === "Adagrad" ? "share_memory" : "");
}

const ofScalers = `get_backoff_factor get_growth_factor get_growth_interval get_scale is_enabled
  load_state_dict scale set_backoff_factor set_growth_factor set_growth_interval state_dict step
  unscale_ update`;

/** The names of a scaler of losses. */
export const scalerNames = namesIn(ofScalers);

const ofSchedulers = "get_last_lr get_lr load_state_dict optimizer state_dict step";

/** What each scheduler has beside that. */
const further: Readonly<Record<string, string>> = {
  ChainedScheduler: "",
  ConstantLR: "base_lrs last_epoch factor total_iters",
  CosineAnnealingLR: "base_lrs last_epoch T_max eta_min",
  CosineAnnealingWarmRestarts: "base_lrs last_epoch T_0 T_cur T_i T_mult eta_min",
  CyclicLR: `base_lrs last_epoch base_momentums cycle_momentum gamma max_lrs max_momentums mode
    scale_fn scale_mode step_ratio total_size use_beta1`,
  ExponentialLR: "base_lrs last_epoch gamma",
  LambdaLR: "base_lrs last_epoch lr_lambdas",
  LinearLR: "base_lrs last_epoch end_factor start_factor total_iters",
  MultiStepLR: "base_lrs last_epoch gamma milestones",
  MultiplicativeLR: "base_lrs last_epoch lr_lambdas",
  OneCycleLR: "base_lrs last_epoch cycle_momentum total_steps use_beta1",
  PolynomialLR: "base_lrs last_epoch power total_iters",
  ReduceLROnPlateau: `last_epoch best cooldown cooldown_counter default_min_lr eps factor
    in_cooldown min_lrs mode mode_worse num_bad_epochs patience threshold threshold_mode`,
  SequentialLR: "last_epoch recursive_undo",
  StepLR: "base_lrs last_epoch gamma step_size",
};

/** The names of a scheduler; `undefined` of other classes. */
export function schedulerNames(name: string): ReadonlySet<string> | undefined {
  const more = Object.hasOwn(further, name) ? fieldOf(further, name) : undefined;
  return more === undefined ? undefined : namesIn(ofSchedulers, more);
}

/** Methods of these objects with their parameters; those that must be given stand before a bar. */
const methods: Readonly<Record<string, string>> = {
  ...{ state_dict: "|", get_last_lr: "|", get_scale: "|", is_enabled: "|" },
  ...{
    load_state_dict: "state_dict |",
    add_param_group: "param_group |",
    zero_grad: "| set_to_none",
  },
  ...{ scale: "outputs |", unscale_: "optimizer |", update: "| new_scale" },
};

/** The parameters of `step`, by the class that has it. */
function stepOf(name: string): string {
  if (name === "GradScaler") return "optimizer |";
  if (name === "ReduceLROnPlateau") return "metrics | epoch";
  return schedulerNames(name) === undefined ? "| closure" : "| epoch";
}

/** A method that refuses arguments which it does not take. */
function withForm(type: string, name: string, own: Value): Value {
  const form = name === "step" ? stepOf(type) : fieldOf(methods, name);
  if (form === undefined || !(name === "step" || Object.hasOwn(methods, name))) return own;
  const [needed = [], others = []] = form
    .split("|")
    .map((each) => each.split(" ").filter((word) => word !== ""));
  return hostFunction(name, (args, context, span) => {
    const fault =
      span.from < 0 || (type === "GradScaler" && name === "step" && args.length > 0)
        ? undefined
        : formFault(`${type}.${name}()`, needed, [...needed, ...others], args);
    return fault === undefined ? context.call(own, args, span) : context.raise(...fault, span);
  });
}

/** An unknown object of a class that has these names, and those that the text sets on it. */
export function ofClass(value: Value, name: string, names: ReadonlySet<string>): Value {
  if (value.kind !== "host" || assumedOf(value) === undefined) return value;
  const set = new Map<string, Value>();
  const { isUnknown, text, plain } = value.type;
  const type: HostType = {
    name,
    ...(isUnknown && { isUnknown }),
    ...(text && { text }),
    ...(plain && { plain }),
    attribute: (self, wanted, context, span) => {
      const isNamed = names.has(wanted) || wanted.startsWith("_");
      const own = isNamed ? value.type.attribute?.(self, wanted, context, span) : undefined;
      return set.get(wanted) ?? (own && withForm(name, wanted, own));
    },
    setAttribute: (_, wanted, given) => {
      set.set(wanted, given);
      return true;
    },
  };
  return { ...value, type };
}
