import type { OperatorId } from "#core/ir";
import { wholeAxis } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import type { SystemReading } from "#language/document/bindings";
import { hostFunction, namespace } from "#language/document/bindings/values";
import type { System } from "#systems/system";

/** A system with two words: `toy.twice(x)` doubles; `toy.spread(x)` is its policy. */
export const toy: System = {
  name: "toy",
  title: "Toy",
  usualNames: { toy: { module: "toy" } },
  bind: ({ recorder, tensors }) => {
    const bound = (name: string) =>
      hostFunction(name, ([argument], context, span) => {
        const input = tensors.tensorOf(argument?.value);
        if (input === undefined)
          return context.raise("TypeError", `${name}() takes a tensor`, span);
        const annotations = [{ text: "a b -> a b" }];
        const call = { op: name, stem: name, annotations, inputs: [input], integers: {}, span };
        const made = recorder.call({ ...call, linear: [], reducesInside: false }, context);
        return tensors.result(made);
      });
    const words = new Map(["twice", "spread"].map((name) => [name, bound(name)]));
    const module = namespace("toy", (name) => words.get(name), [...words.keys()]);
    return { module: (name) => (name === "toy" ? module : undefined) };
  },
  // The operand of `spread` is cut along its first dim over the first mesh axis.
  plans: ({ built }: SystemReading) => ({
    matrices: [],
    diagnostics: [],
    on: (mesh) => {
      const [axis] = mesh.axes;
      const cuts = axis === undefined ? {} : { a: [wholeAxis(mesh, axis.name)] };
      const spread = [...built.operatorOf.values()].filter(({ op }) => op === "spread");
      const plans = spread.map(({ id, span }): [OperatorId, OperatorPlan] => [
        id,
        { strategy: { cuts, carry: [] }, mesh, status: "set", ...(span && { span }) },
      ]);
      return { plans: new Map(plans), placements: new Map(), diagnostics: [] };
    },
  }),
  // Plans are written as one line per operator.
  writes: [
    {
      ...{ target: "toy", name: "Toy", what: "a line per operator" },
      ...{ compares: "compiled", launch: ["toy plan.py"] },
      load: async () => ({
        write: ({ program: { graph } }) => {
          const text = graph.operators.map(({ op, name }) => `${op} ${name}\n`).join("");
          return { ok: true, text, claims: { operators: graph.operators.length } };
        },
      }),
    },
  ],
};
