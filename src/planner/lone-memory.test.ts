import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { layoutOf } from "#core/reshard";
import { planDocument, planQuestion } from "#edit";
import { strategyIn } from "./choices.ts";
import { networkOf } from "./network.ts";
import { PlannerMemory } from "./planner-memory.ts";

/** A block with operators that cut their identifiers in many ways. */
const block = (mesh: string) => `mesh = Mesh(${mesh}, hardware="8xH100")
x = Tensor((16, 64, 32), "bf16")
g = Parameter((32,), "bf16")
wq = Parameter((32, 16, 8), "bf16")
w1 = Parameter((32, 64), "bf16")
n = layer_norm(x, g)
q = einsum("b s d, d h e -> b h s e", n, wq)
o = attention(q, q, q)
h = gelu(einsum("b s d, d f -> b s f", n, w1))
t = softmax(h, dim=-1)
u = mul(t, h)
`;

const texts = [
  ["a block on three axes", block("dp=4, tp=2, pp=2")],
  ["a step on three axes", `${block("dp=4, tp=2, pp=2")}train(u, optimizer="adam")\n`],
  ["a step on axes of one size", `${block("a=2, b=2")}train(o, optimizer="sgd")\n`],
  ...["two-matmuls", "megatron-mlp", "vocabulary-embedding", "expert-parallel"].map((name) => {
    const example = examples.find((each) => each.name === name);
    if (example === undefined) throw new Error(`no example ${name}`);
    return [name, exampleText(example)] as const;
  }),
] as const;

test.each(texts)(
  "of %s every operator costs what it costs as a program of its own, on this mesh and the next",
  (_, text) => {
    const { training, ...question } = planQuestion(planDocument(text, {}), { freesPlaces: true });
    const request = { ...question, ends: new Map(), ...(training !== undefined && { training }) };
    const memory = new PlannerMemory();
    // The same axes in another order: a different mesh, on which everything costs the same.
    const { axes } = request.mesh;
    networkOf({ ...request, mesh: { ...request.mesh, axes: axes.toReversed() } }, memory);
    const { choices, pricing, known } = networkOf(request, memory);
    const tensors = new Map(request.graph.tensors.map((tensor) => [tensor.id, tensor]));
    for (const [at, operator] of request.graph.operators.entries()) {
      const own = choices[at] ?? [];
      for (const choice of own.filter((_, number) => number % 23 === at % 23)) {
        const alone = pricing.alone?.(operator, strategyIn(choice.strategy, request.mesh));
        if (alone === undefined) throw new Error("no price");
        const layoutsOf = (states: readonly number[]) =>
          states.map((state, place) => {
            const operand = operator.inputs[place];
            const tensor = operand && tensors.get(operand.tensor);
            if (state < 0 || tensor === undefined) return undefined;
            return layoutOf(known.routes.of(tensor).state(state), request.mesh);
          });
        expect(alone.seconds).toBeCloseTo(choice.seconds, 15);
        expect(choice.seconds / alone.seconds).toBeCloseTo(1, 12);
        expect(layoutsOf(choice.again)).toEqual(alone.again);
        expect(layoutsOf(choice.gradients)).toEqual(alone.gradients);
      }
    }
  },
);

test("what operators cost on one chip is not taken for another, or for one device alone", () => {
  const hardwares = [
    {},
    { crowding: 2 },
    { efficiencies: { matmul: 0.1 } },
    { launch: 1 },
  ] as const;
  const memory = new PlannerMemory();
  for (const mesh of ["dp=2", "dp=1"]) {
    const text = block(mesh).replace('hardware="8xH100"', 'hardware="2xH100"');
    const { training: _, ...question } = planQuestion(planDocument(text, {}), {
      freesPlaces: true,
    });
    for (const figures of hardwares) {
      const hardware = { ...question.hardware, ...figures };
      const request = { ...question, hardware, ends: new Map() };
      const secondsOf = ({ choices }: ReturnType<typeof networkOf>) =>
        choices.map((own) => own.map(({ seconds }) => seconds));
      expect(secondsOf(networkOf(request, memory))).toEqual(secondsOf(networkOf(request)));
    }
  }
});
