import type {
  BindingParts,
  System,
  SystemBindings,
  SystemPlans,
  SystemReading,
} from "#language/document/words";
import type { FunctionValue, Value } from "#language/python";
import { knowsFunction } from "./known-functions.ts";
import { policyFanOuts } from "./plans/policy-fan-outs.ts";
import { policyPlans } from "./plans/policy-plans.ts";
import { assumedMesh } from "./words/assumed-mesh.ts";
import { NnscalerWords } from "./words/modules.ts";
import { PolicyWords } from "./words/policies.ts";

/** nnScaler: `register_op`, transform rules, and policies that partition and assign. */
export const nnscaler: System = {
  name: "nnscaler",
  usualNames: {
    nnscaler: { module: "nnscaler" },
    register_op: { module: "nnscaler", name: "register_op" },
  },
  knowsFunction,
  bind,
  plans: plansOfPolicies,
};

function bind({ registered, torch, boxes, recorder }: BindingParts): SystemBindings {
  const policies = new PolicyWords();
  const words = new NnscalerWords(registered, torch, policies, boxes);
  return {
    module: (name) => words.module(name),
    runPolicies: (globals, { isExact, devices }, context) => {
      const found = policiesIn(globals);
      if (found.length === 0 || recorder.trace.operators.length === 0) return;
      assumedMesh(recorder, context);
      const setting = { recorder, isExact, devices: devices() };
      for (const func of found) policies.run(func, setting, context);
    },
  };
}

function plansOfPolicies({ trace, built }: SystemReading): SystemPlans {
  return {
    matrices: [],
    diagnostics: [],
    on: (mesh) => {
      const { plans, diagnostics } = policyPlans(trace, built, mesh);
      return {
        plans,
        placements: new Map(),
        diagnostics: [],
        notesBeside: (set) => [...diagnostics(set), ...policyFanOuts(trace, built, plans)],
      };
    },
  };
}

/** Functions by the names under which documents write policies. */
function policiesIn(globals: ReadonlyMap<string, Value>): readonly FunctionValue[] {
  return ["PAS", "policy", "pas_policy"].flatMap((name) => {
    const value = globals.get(name);
    const takes = value?.kind === "function" ? value.parameters.length : 0;
    return value?.kind === "function" && takes === 2 ? [value] : [];
  });
}
