// Numbers that the schedulers of rates of PyTorch 2.13 refuse, when they are made or at their first step.

import { fieldOf } from "#core/records";
import { itemsOf } from "#language/document/bindings/values";
import type { Value } from "#language/python";
import { type CallFault, type Check, every, ofNumbers } from "../bindings/call-fault.ts";
import { bounded, positive, share } from "../bindings/ranges.ts";

/** Numbers: no text, and not nothing. */
const numbers = (parameters: string): Check =>
  every(
    ...parameters.split(" ").map(
      (parameter): Check =>
        ({ name, value }) => {
          const kind = value(parameter)?.kind;
          if (kind !== "str" && kind !== "none") return undefined;
          const message = `${name}: ${parameter} must be a number, not ${kind === "str" ? "str" : "NoneType"}`;
          return ["TypeError", message];
        },
    ),
  );

/** A function, or one for each group of parameters. */
const called: Check = ({ value }) => {
  const kind = value("lr_lambda")?.kind;
  if (!["int", "float", "bool", "str", "none"].includes(kind ?? "")) return undefined;
  return ["TypeError", `'${kind}' object is not callable`];
};

const listed: Check = ({ value }) => {
  const given = value("milestones");
  if (given?.kind !== "int" && given?.kind !== "float") return undefined;
  return ["TypeError", `'${given.kind}' object is not iterable`];
};

/** What something is divided by. */
const divisor = (parameter: string): Check =>
  bounded(
    parameter,
    (number) => number !== 0,
    `{name}: ${parameter} is 0: integer modulo by zero`,
    "ZeroDivisionError",
  );

/** A whole number of steps from a least one on. */
const steps =
  (parameter: string, least: number, said: string): Check =>
  (call) => {
    const message = `${said}, but got {}`;
    const isWhole = call.value(parameter)?.kind === "int";
    return bounded(parameter, (n) => isWhole && n >= least, message, "ValueError")(call);
  };

/** A share that is written as a float. */
const fraction: Check = (call) => {
  const isFloat = call.value("pct_start")?.kind === "float";
  const message = "Expected float between 0 and 1 pct_start, but got {}";
  return bounded("pct_start", (part) => isFloat && share(part), message, "ValueError")(call);
};

const ending = "multiplicative factor expected to be between 0 and 1.";

const checks: Readonly<Record<string, Check>> = {
  StepLR: every(numbers("step_size gamma"), divisor("step_size")),
  MultiStepLR: every(numbers("gamma"), listed),
  ExponentialLR: numbers("gamma"),
  ConstantLR: every(
    numbers("factor"),
    bounded("factor", share, `Constant ${ending}`, "ValueError"),
  ),
  LinearLR: every(
    numbers("start_factor end_factor total_iters"),
    bounded(
      "start_factor",
      (factor) => positive(factor) && share(factor),
      "Starting multiplicative factor expected to be greater than 0 and less or equal to 1.",
      "ValueError",
    ),
    bounded("end_factor", share, `Ending ${ending}`, "ValueError"),
  ),
  PolynomialLR: numbers("total_iters power"),
  CosineAnnealingLR: every(numbers("T_max eta_min"), divisor("T_max")),
  CosineAnnealingWarmRestarts: every(
    numbers("T_0 T_mult eta_min"),
    steps("T_0", 1, "Expected positive integer T_0"),
    steps("T_mult", 1, "Expected integer T_mult >= 1"),
  ),
  CyclicLR: every(numbers("base_lr max_lr step_size_up"), divisor("step_size_up")),
  OneCycleLR: every(
    numbers("max_lr pct_start div_factor final_div_factor"),
    steps("total_steps", 1, "Expected positive integer total_steps"),
    fraction,
    divisor("div_factor"),
    divisor("final_div_factor"),
  ),
  ReduceLROnPlateau: every(
    numbers("factor patience threshold"),
    bounded("factor", (factor) => factor < 1, "Factor should be < 1.0.", "ValueError"),
  ),
  LambdaLR: called,
  MultiplicativeLR: called,
};

/** Why a scheduler is not made with its numbers. */
export function rateFault(
  name: string,
  value: (parameter: string) => Value | undefined,
): CallFault | undefined {
  return fieldOf(checks, name)?.(ofNumbers(name, value));
}

const comparedNumbers = numbers("lr eps weight_decay momentum rho alpha");

/** Why an optimizer does not compare its numbers with their bounds. */
export function numberFault(
  name: string,
  value: (parameter: string) => Value | undefined,
): CallFault | undefined {
  const betas = itemsOf(value("betas")) ?? [];
  if (betas.some((each) => each.kind === "str"))
    return ["TypeError", "'<=' not supported between instances of 'float' and 'str'"];
  if (/^AdamW?$/u.test(name) && betas.some((each) => each.kind === "int"))
    return ["ValueError", "betas must be either both floats or both Tensors"];
  return comparedNumbers(ofNumbers(name, value));
}
