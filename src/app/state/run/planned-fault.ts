import { faultNames, type RunFault } from "#app/engine";
import type { LinkFault } from "#app/share";
import type { Compiled } from "#compile";
import { flatSteps } from "#core/program";

/** A fault by kind and place, valid in every version of a plan. */
export type PlannedFault = LinkFault;

/** A fault of a plan in the form of a link. */
export function plannedFault({ program }: Compiled, fault: RunFault): PlannedFault {
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  if (fault.how === "cut") return { how: "cut", tensor: names.get(fault.tensor) ?? fault.tensor };
  const step = flatSteps(program)[fault.step];
  if (step?.kind !== "collective") throw new Error(`step ${fault.step} is no collective`);
  const value = program.values.find(({ id }) => id === step.input);
  const tensor = (value && names.get(value.tensor)) ?? step.input;
  return { how: fault.how, step: fault.step, collective: step.collective, tensor };
}

/**
 * A planned fault in a plan: in its step if that is still the same collective of the same tensor,
 * else in the first such step; `undefined` if there is none.
 */
export function faultIn(compiled: Compiled, planned: PlannedFault): RunFault | undefined {
  const { program } = compiled;
  if (planned.how === "cut") {
    const { tensors } = program.graph;
    const found = tensors.find(
      ({ name, producer }) => name === planned.tensor && producer === undefined,
    );
    return found && { tensor: found.id, how: "cut" };
  }
  const { how } = planned;
  if (!isStepFault(how)) return undefined;
  const isSame = (step: number) => {
    const { collective, tensor } = plannedFault(compiled, { step, how });
    return collective === planned.collective && tensor === planned.tensor;
  };
  const steps = flatSteps(program).flatMap((step, at) =>
    step.kind === "collective" && step.collective !== "slice" && isSame(at) ? [at] : [],
  );
  const step = steps.find((at) => at === planned.step) ?? steps[0];
  return step === undefined ? undefined : { step, how };
}

function isStepFault(how: string): how is keyof typeof faultNames {
  return Object.hasOwn(faultNames, how);
}
