import { fieldOf } from "#core/records";

/** The parameters of optimizers behind `params`, as torch 2.13 has them. */
const parameters: Readonly<Record<string, string>> = {
  ASGD: "lr lambd alpha t0 weight_decay foreach maximize differentiable capturable",
  Adadelta: "lr rho eps weight_decay foreach capturable maximize differentiable",
  Adafactor: "lr beta2_decay eps d weight_decay foreach maximize",
  Adagrad:
    "lr lr_decay weight_decay initial_accumulator_value eps foreach maximize differentiable fused",
  Adam: "lr betas eps weight_decay amsgrad foreach maximize capturable differentiable fused decoupled_weight_decay",
  AdamW: "lr betas eps weight_decay amsgrad maximize foreach capturable differentiable fused",
  Adamax: "lr betas eps weight_decay foreach maximize differentiable capturable",
  LBFGS: "lr max_iter max_eval tolerance_grad tolerance_change history_size line_search_fn",
  Muon: "lr weight_decay momentum nesterov ns_coefficients eps ns_steps adjust_lr_fn",
  NAdam:
    "lr betas eps weight_decay momentum_decay decoupled_weight_decay foreach maximize capturable differentiable",
  RAdam:
    "lr betas eps weight_decay decoupled_weight_decay foreach maximize capturable differentiable",
  RMSprop: "lr alpha eps weight_decay momentum centered capturable foreach maximize differentiable",
  Rprop: "lr etas step_sizes capturable foreach maximize differentiable",
  SGD: "lr momentum dampening weight_decay nesterov maximize foreach differentiable fused",
  SparseAdam: "lr betas eps maximize",
};

/** The parameters of an optimizer, in order; nothing of one that torch does not have. */
export function optimizerParameters(name: string): readonly string[] | undefined {
  const said = Object.hasOwn(parameters, name) ? fieldOf(parameters, name) : undefined;
  return said === undefined ? undefined : ["params", ...said.split(" ")];
}
