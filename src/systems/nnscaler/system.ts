import type { Diagnostic } from "#core/diagnostics";
import {
  type BindingParts,
  moduleCalls,
  type SystemBindings,
  type SystemPlans,
  type SystemReading,
} from "#language/document/bindings";
import type { BuiltGraph } from "#language/document/graph";
import type { Trace } from "#language/document/trace";
import type { System } from "#systems/system";
import { torchIn } from "#systems/torch";
import { NnscalerBindings } from "./bindings/modules.ts";
import { PolicyRequests } from "./bindings/parallelize.ts";
import { PolicyBindings } from "./bindings/policies.ts";
import { candidatesIn } from "./bindings/policy-choice.ts";
import { PolicyConfigs } from "./bindings/policy-config.ts";
import { pythonLibrary } from "./bindings/python-library.ts";
import { type PolicyParts, runPolicies } from "./bindings/run-policies.ts";
import { nnScalerModel, unmeasuredAxis } from "./cost-model.ts";
import { nnscalerExplains } from "./explain/explain.ts";
import { nnscalerTargets } from "./export/code-target.ts";
import { knowsFunction } from "./known-functions.ts";
import { nnscalerWords } from "./own-words/own-words.ts";
import { policyFanOuts } from "./plans/policy-fan-outs.ts";
import { policyPlans } from "./plans/policy-plans.ts";
import { wrongPolicies } from "./plans/wrong-policies.ts";
import { nnscalerRules } from "./rules.ts";
import { nnscalerReshards, nnscalerRuns } from "./run/run.ts";
import { nnscalerVerdict } from "./verdict.ts";

/** Names of nnScaler's that policies use without an import. */
const policyNames = [
  ...["IRFwOperation", "IRDataOperation", "IRDimops", "IRSegment", "IRGraphAnchor", "IRPyFunc"],
  ...["ComputeConfig", "PredefinedSched", "parallelize", "_tp", "_replica"],
];

/** Matches names of policies and of their parameters; a text without them has no policy. */
const policyWords = /\b(?:graph|IRGraph|pas_policy|policy|PAS)\b/u;

/**
 * Matches texts that import nnScaler, or use its usual names without an import, as its
 * documentation does.
 */
const ownTexts =
  /^[ \t]*(?:import|from)\b[^#\n]*\bnnscaler\b|\bnnscaler\.\w|\b(?:register_op|IRGraph|IRFwOperation|IRDimops|IRSegment|ComputeConfig)\b/m;

/** nnScaler: `register_op`, transform rules, and policies that partition and assign. */
export const nnscaler: System = {
  name: "nnscaler",
  title: "nnScaler",
  reshards: nnscalerReshards,
  usualNames: {
    nnscaler: { module: "nnscaler" },
    register_op: { module: "nnscaler", name: "register_op" },
    ...Object.fromEntries(
      policyNames.map((name) => [name, { module: "nnscaler", name, where: /\bgraph\b/ }]),
    ),
  },
  isTextOf: (source) => ownTexts.test(source),
  knowsFunction,
  packages: ["nnscaler", "more_itertools", "examples"],
  concerns: ({ source, trace: { operators, biasesAfterSums = [] } }) =>
    policyWords.test(source) ||
    biasesAfterSums.length > 0 ||
    operators.some(({ entry, isReplicated }) => entry === undefined || isReplicated === true),
  bind,
  plans: plansOfPolicies,
  verdict: nnscalerVerdict,
  runs: nnscalerRuns,
  costModel: { name: "nnscaler", make: nnScalerModel, refusal: unmeasuredAxis },
  rules: nnscalerRules,
  says: nnscalerWords,
  explains: nnscalerExplains,
  writes: nnscalerTargets,
};

/** Bindings are created on first use: a text without nnScaler names and policies needs none. */
function bind(parts: BindingParts): SystemBindings {
  let made: PolicyText | undefined;
  const asked = () => {
    made ??= policyText(parts);
    return made;
  };
  return {
    module: (name) => asked().names.module(name),
    beforeDrawing: (context) => made?.requests.drawUncalled(parts.modules, context),
    runPolicies: (globals, run, context) => {
      if (made !== undefined || candidatesIn(globals, context.source).length > 0)
        runPolicies(asked(), globals, run, context);
    },
  };
}

/** The services for a text's policies, and nnScaler's modules. */
interface PolicyText extends PolicyParts {
  readonly names: NnscalerBindings;
}

function policyText(parts: BindingParts): PolicyText {
  const { registered, opaque, recorder, modules, tensors } = parts;
  const library = pythonLibrary();
  const requests = new PolicyRequests();
  const configs = new PolicyConfigs(library);
  const moduleOf = moduleCalls(modules);
  const words = new PolicyBindings((operator) => moduleOf(operator)?.path ?? "");
  const names = new NnscalerBindings({
    recorder,
    registered,
    modules,
    torch: () => torchIn(parts),
    opaque,
    words,
    requests,
    configs,
    library,
  });
  return { recorder, tensors, words, requests, configs, library, names };
}

function plansOfPolicies({ trace, built, source }: SystemReading): SystemPlans {
  return {
    matrices: [],
    diagnostics: [],
    on: (mesh) => {
      const { plans, diagnostics } = policyPlans(trace, built, mesh);
      return {
        plans,
        placements: new Map(),
        diagnostics: [],
        notesBeside: (set) => [
          ...diagnostics(set),
          ...policyFanOuts(trace, built, plans),
          ...keptWhole(trace, built),
          ...wrongPolicies({ trace, built, source, plans, mesh }),
        ],
      };
    },
  };
}

/**
 * Warnings for linear layers with a bias whose contracted dim the text cuts, which nnScaler
 * refuses.
 */
function keptWhole({ biasesAfterSums = [] }: Trace, built: BuiltGraph): readonly Diagnostic[] {
  return biasesAfterSums.map(({ operator, span }) => ({
    code: "nnscaler/partition-refused",
    severity: "warning",
    message: `nnScaler refuses this cut of "${built.operatorOf.get(operator)?.name ?? "y"}": with a bias its annotation keeps "k" whole ("k^"). Here the bias is added once, to the sum of the parts, as DTensor and Megatron do`,
    upstream: "ValueError",
    span,
  }));
}
