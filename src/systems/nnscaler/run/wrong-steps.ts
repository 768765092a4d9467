import { blockText, type ProgramRead, type WrongStep } from "#systems/system";
import { heldAsRun } from "../adapter-as-run.ts";
import { adapterRoutes } from "../adapter-reshard.ts";
import { policyPlans } from "../plans/policy-plans.ts";
import {
  copiedWeightsOf,
  type PolicyOutcome,
  type WrongAdapter,
  wrongAdaptersOf,
} from "../plans/wrong-policies.ts";
import { wrongSentence } from "../wrong-numbers.ts";

/**
 * Adapters of a policy that nnScaler 0.8 runs wrongly, and gradients that it counts several times.
 */
export function wrongSteps({ read }: ProgramRead): readonly WrongStep[] {
  const { trace, built, source, mesh } = read();
  if (trace.partitions.length === 0) return [];
  const { plans } = policyPlans(trace, built, mesh.mesh);
  const outcome: PolicyOutcome = { trace, built, source, plans, mesh: mesh.mesh };
  return [...wrongAdaptersOf(outcome).map(adapterStep), ...copiedSteps(outcome)];
}

function adapterStep({ code, subject, edge, way, rules }: WrongAdapter): WrongStep {
  const { id, name, shape } = edge.tensor;
  const routes = adapterRoutes(way.from, way.to, shape, rules);
  const held = routes.ok ? heldAsRun(routes.value, { ...way, shape }) : [];
  const devices = held.flatMap(({ device, wanted, held: has, isRight }) => {
    const texts = { wanted: blockText(wanted), held: has ? blockText(has) : "unlike pieces" };
    return isRight ? [] : [{ device, ...texts }];
  });
  const cause = wrongSentence(code, subject);
  return { code, tensor: id, name, subject: subject.replaceAll('"', ""), cause, devices };
}

function copiedSteps(outcome: PolicyOutcome): readonly WrongStep[] {
  const code = "nnscaler/copied-weight";
  return copiedWeightsOf(outcome).flatMap(({ operator, weights, copies }) =>
    weights.map(({ id, name }) => ({
      ...{ code, tensor: id, name, subject: `the gradient of ${name}` },
      cause: wrongSentence(code, `"${operator.name}"`),
      devices: outcome.mesh.devices.map((device) => ({
        device,
        wanted: "the gradient",
        held: `${copies.count} times the gradient`,
      })),
    })),
  );
}
