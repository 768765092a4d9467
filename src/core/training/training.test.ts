import { expect, test } from "vitest";
import { type OperatorId, operatorId, type Tensor, tensorId } from "#core/ir";
import { printLayout, printPart } from "#core/mesh";
import { propagate } from "#core/plan";
import { testGraph, testMesh, testRequests } from "../plan/graph.testing.ts";
import { expandTraining } from "./expand-training.ts";
import type { Training, TrainingGraph } from "./training.ts";

const product = "m k+, k+ n -> m n";

/** The training step of `z = (x · w) · v` with rows over `dp`, `w` in a data type. */
function stepOf(asked: Partial<Training>, dtype: Tensor["dtype"] = "f32"): TrainingGraph {
  const forward = testGraph({ x: [8, 4], w: [4, 6], wv: [6, 4] }, [
    { result: "y", annotation: product, inputs: ["x", "w"] },
    { result: "z", annotation: product, inputs: ["y", "wv"] },
  ]);
  const typed = (tensor: Tensor) => (tensor.name === "w" ? { ...tensor, dtype } : tensor);
  const graph = { ...forward, tensors: forward.tensors.map(typed) };
  const mesh = testMesh({ dp: 2 });
  const requests = testRequests(mesh, { y: { m: "dp" }, z: { m: "dp" } });
  const { plan } = propagate(graph, mesh, requests);
  const plain = {
    loss: tensorId("z"),
    optimizer: "sgd",
    zero: 0,
    recompute: new Set<OperatorId>(),
  } as const;
  return expandTraining(graph, plan, { ...plain, ...asked });
}

/** The added operators as `phase operator(operands) -> results, cut / over`. */
function addedTo({ graph, requests }: TrainingGraph): readonly string[] {
  return graph.operators.slice(2).map(({ id, phase, op, inputs, outputs }) => {
    const names = [inputs, outputs].map((all) => all.map(({ tensor }) => tensor).join(" "));
    const { mesh, strategy } = requests.operators.get(id) ?? {};
    const cut = Object.entries(strategy?.cuts ?? {}).map(([name, parts]) => {
      return `, ${name} / ${parts.map((part) => mesh && printPart(mesh, part))}`;
    });
    return `${phase} ${op}(${names[0]}) -> ${names[1]}${cut.join("")}`;
  });
}

/** The added operators of `w` alone, in one phase. */
function ofW(step: TrainingGraph, phase: string): string {
  const all = addedTo(step).filter((line) => line.startsWith(`${phase} `) && /\bw\b/.test(line));
  return all.map((line) => line.slice(phase.length + 1)).join("; ");
}

test("a step goes back through every operator, then updates; the loss's gradient is given", () => {
  const step = stepOf({});
  expect(step.diagnostics).toEqual([]);
  expect(addedTo(step)).toEqual([
    "backward einsum(z.grad wv) -> y.grad, m / dp",
    "backward einsum(z.grad y) -> wv.grad, m / dp",
    "backward einsum(y.grad x) -> w.grad, m / dp",
    "update sgd(wv wv.grad) -> wv.new",
    "update sgd(w w.grad) -> w.new",
  ]);
  expect(step.graph.operators.slice(2).map(({ of }) => of)).toEqual([
    "z",
    "z",
    "y",
    undefined,
    undefined,
  ]);
  expect(step.graph.outputs).toEqual(["z", "wv.new", "w.new"]);
});

test.each`
  optimizer     | precision       | update
  ${"sgd"}      | ${"as-written"} | ${"sgd(w w.grad) -> w.new"}
  ${"momentum"} | ${"as-written"} | ${"momentum(w w.grad w.m) -> w.new w.m.new"}
  ${"adam"}     | ${"as-written"} | ${"adam(w w.grad w.m w.v) -> w.new w.m.new w.v.new"}
  ${"adamw"}    | ${"autocast"}   | ${"adamw(w w.grad w.m w.v) -> w.new w.m.new w.v.new"}
  ${"adamw"}    | ${"fsdp"}       | ${"adamw(w w.grad w.m w.v) -> w.new w.m.new w.v.new"}
  ${"sgd"}      | ${"megatron"}   | ${"sgd(w.master w.grad#2) -> w.new w.master.new"}
  ${"adam"}     | ${"megatron"}   | ${"adam(w.master w.grad#2 w.m w.v) -> w.new w.master.new w.m.new w.v.new"}
`("$optimizer under $precision updates by $update", ({ optimizer, precision, update }) => {
  expect(ofW(stepOf({ optimizer, precision }, "bf16"), "update")).toBe(update);
});

// cost.md §3: the types of a parameter, its gradient, a master copy and a moment.
test.each`
  dtype     | policy                                          | types
  ${"f32"}  | ${{}}                                           | ${"w f32, w.grad f32, w.m f32"}
  ${"bf16"} | ${{}}                                           | ${"w bf16, w.grad bf16, w.m bf16"}
  ${"f16"}  | ${{ precision: "as-written" }}                  | ${"w f16, w.grad f16, w.m f16"}
  ${"bf16"} | ${{ precision: "autocast" }}                    | ${"w f32, w.grad f32, w.m f32"}
  ${"f32"}  | ${{ precision: "autocast" }}                    | ${"w f32, w.grad f32, w.m f32"}
  ${"bf16"} | ${{ precision: "fsdp" }}                        | ${"w f32, w.grad f32, w.m f32"}
  ${"f32"}  | ${{ precision: "fsdp" }}                        | ${"w f32, w.grad f32, w.m f32"}
  ${"f32"}  | ${{ precision: "megatron" }}                    | ${"w bf16, w.grad f32, w.master f32, w.m f32"}
  ${"bf16"} | ${{ precision: "megatron" }}                    | ${"w bf16, w.grad f32, w.master f32, w.m f32"}
  ${"bf16"} | ${{ precision: "megatron", microbatches: 2 }}   | ${"w bf16, w.grad f32, w.master f32, w.m f32"}
  ${"bf16"} | ${{ precision: "megatron", gradients: "bf16" }} | ${"w bf16, w.grad bf16, w.master f32, w.m f32"}
`("of a parameter in $dtype under $policy: $types", ({ dtype, policy, types }) => {
  const { graph } = stepOf({ optimizer: "momentum", ...policy }, dtype);
  const typeOf = (name: unknown) => graph.tensors.find(({ id }) => id === name)?.dtype;
  const update = graph.operators.find(({ outputs }) => outputs[0]?.tensor === "w.new");
  const read = (update?.inputs ?? []).map(({ tensor }) => tensor);
  const gradient = read.find((name) => name.includes("grad"));
  const named = ["w", ...(read[0] === "w.master" ? ["w.master"] : []), "w.m"].map(
    (name) => `${name} ${typeOf(name)}`,
  );
  expect([named[0], `w.grad ${typeOf(gradient)}`, ...named.slice(1)].join(", ")).toBe(types);
});

test.each`
  name         | said
  ${"w.grad"}  | ${"gradient bf16[4,6], gradient of w"}
  ${"w.m"}     | ${"state bf16[4,6]"}
  ${"w.new"}   | ${"parameter bf16[4,6], replaces w"}
  ${"w.m.new"} | ${"state bf16[4,6], replaces w.m"}
  ${"y.grad"}  | ${"gradient f32[8,6], gradient of y"}
  ${"z.grad"}  | ${"gradient f32[8,4], gradient of z"}
`("of a bf16 parameter $name is $said", ({ name, said }) => {
  const { tensors } = stepOf({ optimizer: "momentum" }, "bf16").graph;
  const { role, dtype, shape, gradientOf, replaces } = tensors.find(({ id }) => id === name) ?? {};
  const links = [gradientOf && `gradient of ${gradientOf}`, replaces && `replaces ${replaces}`];
  expect([`${role} ${dtype}[${shape}]`, ...links.filter(Boolean)].join(", ")).toBe(said);
});

// The layouts of `w`, its gradient and its new value; a gradient without a layout stays partial.
test.each`
  zero | count | rests                                 | update                                  | gathered
  ${0} | ${1}  | ${"w _,_; w.grad _,_; w.new _,_"}     | ${"sgd(w w.grad) -> w.new"}             | ${""}
  ${1} | ${1}  | ${"w _,_; w.new _,_"}                 | ${"sgd(w w.grad) -> w.new, a / dp"}     | ${""}
  ${2} | ${1}  | ${"w _,_; w.grad dp,_; w.new _,_"}    | ${"sgd(w w.grad) -> w.new, a / dp"}     | ${""}
  ${3} | ${1}  | ${"w dp,_; w.grad dp,_; w.new dp,_"}  | ${"sgd(w w.grad) -> w.new, a / dp"}     | ${"wv w"}
  ${0} | ${2}  | ${"w _,_; w.grad.sum _,_; w.new _,_"} | ${"sgd(w w.grad.sum) -> w.new"}         | ${""}
  ${1} | ${2}  | ${"w _,_; w.new _,_"}                 | ${"sgd(w w.grad.sum) -> w.new, a / dp"} | ${""}
  ${2} | ${2}  | ${"w _,_; w.grad dp,_; w.new _,_"}    | ${"sgd(w w.grad.sum) -> w.new, a / dp"} | ${""}
  ${3} | ${2}  | ${"w dp,_; w.grad dp,_; w.new dp,_"}  | ${"sgd(w w.grad.sum) -> w.new, a / dp"} | ${"wv w"}
`("ZeRO $zero in $count micro-batches: $rests", ({ zero, count, rests, update, gathered }) => {
  const step = stepOf({ zero, microbatches: count });
  const places = [...step.requests.placements].filter(([id]) => /^w(\.|$)/.test(id));
  expect(places.map(([id, { layout }]) => `${id} ${printLayout(layout)}`).join("; ")).toBe(rests);
  expect(ofW(step, "update")).toBe(update);
  expect([...(step.asked.gatheredAgain ?? [])].join(" ")).toBe(gathered);
});

test.each`
  zero | accumulated
  ${0} | ${"accumulate(w.grad) -> w.grad.sum"}
  ${1} | ${"accumulate(w.grad) -> w.grad.sum"}
  ${2} | ${"accumulate(w.grad) -> w.grad.sum, a / dp"}
`("under ZeRO $zero micro-batches add up by $accumulated", ({ zero, accumulated }) => {
  const lines = ofW(stepOf({ zero, microbatches: 2 }), "backward").split("; ");
  expect(lines.slice(1)).toEqual([accumulated]);
});

test.each`
  again         | lines
  ${[]}         | ${["einsum(z.grad y) -> wv.grad, m / dp"]}
  ${["y"]}      | ${["op(x w) -> y.again, m / dp", "einsum(z.grad y.again) -> wv.grad, m / dp"]}
  ${["z"]}      | ${["einsum(z.grad y) -> wv.grad, m / dp"]}
  ${["y", "z"]} | ${["op(x w) -> y.again, m / dp", "einsum(z.grad y.again) -> wv.grad, m / dp"]}
`("of $again, computed again, the backward pass reads $lines", ({ again, lines }) => {
  const step = stepOf({ recompute: new Set(again.map(operatorId)) });
  const found = addedTo(step).filter((line) => /y\.again|wv\.grad, m/.test(line));
  expect(found.map((line) => line.replace(/^\w+ /, ""))).toEqual(lines);
  const copies = step.graph.operators.filter(({ phase }) => phase === "recompute");
  expect(copies.map(({ of }) => of)).toEqual(again.filter((name: string) => name === "y"));
});
