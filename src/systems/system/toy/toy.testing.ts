import type { OperatorId } from "#core/ir";
import { wholeAxis } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import {
  type BindingParts,
  hostFunction,
  namespace,
  type SystemPlans,
  type SystemReading,
} from "#language/document/bindings";
import type { HostFunction } from "#language/python";
import type { CodeWriter } from "#systems/arrays";
import type { System } from "#systems/system";

/** A system of two words: `toy.twice(x)` doubles, `toy.spread(x)` is its policy. */
export const toy: System = {
  name: "toy",
  title: "Toy",
  usualNames: { toy: { module: "toy" } },
  bind: (parts) => {
    const words = new Map(["twice", "spread"].map((name) => [name, wordOf(name, parts)]));
    const module = namespace("toy", (name) => words.get(name), [...words.keys()]);
    return { module: (name) => (name === "toy" ? module : undefined) };
  },
  plans: spreadPlans,
};

/** A word that makes an operator of one tensor. */
function wordOf(name: string, { recorder, tensors }: BindingParts): HostFunction {
  return hostFunction(name, ([argument], context, span) => {
    const input = tensors.tensorOf(argument?.value);
    if (input === undefined) return context.raise("TypeError", `${name}() takes a tensor`, span);
    const annotations = [{ text: "a b -> a b" }];
    const call = { op: name, stem: name, annotations, inputs: [input], integers: {}, span };
    const made = recorder.call({ ...call, linear: [], reducesInside: false }, context);
    return tensors.result(made);
  });
}

/** What is spread is cut along its first dim over the first axis of the mesh. */
function spreadPlans({ built }: SystemReading): SystemPlans {
  const spread = [...built.operatorOf.values()].filter(({ op }) => op === "spread");
  return {
    matrices: [],
    diagnostics: [],
    on: (mesh) => {
      const [axis] = mesh.axes;
      const plans = spread.map(({ id, span }): [OperatorId, OperatorPlan] => {
        const cuts = axis === undefined ? {} : { a: [wholeAxis(mesh, axis.name)] };
        return [id, { strategy: { cuts, carry: [] }, mesh, status: "set", ...(span && { span }) }];
      });
      return { plans: new Map(plans), placements: new Map(), diagnostics: [] };
    },
  };
}

/** Plans as a list of what each operator does, a line each. */
export const toyCode: CodeWriter = {
  target: "toy",
  name: "Toy",
  what: "a line per operator",
  compares: "compiled",
  launch: ["toy plan.py"],
  write: ({ program }) => {
    const lines = program.graph.operators.map(({ op, name }) => `${op} ${name}\n`);
    return { ok: true, text: lines.join(""), claims: { operators: lines.length } };
  },
};
