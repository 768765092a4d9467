import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { operatorId, type Tensor, type TensorId } from "#core/ir";
import { type DimLayout, type Layout, printLayout, sameBlocks } from "#core/mesh";
import type { DimGesture } from "#edit";
import { applyGesture } from "#edit";
import { compile } from "./compile.ts";
import type { Compiled, Reader, TensorView } from "./compiled.ts";
import { restState, shownLayout, stateName, stateReadBy, withReaders } from "./tensor-states.ts";

const fsdp = examples.find(({ name }) => name === "fsdp")?.program ?? "";
const reshard = examples.find(({ name }) => name === "jax-reshard")?.program ?? "";

/** Two readers that hold `x` in different layouts, both unlike its layout at rest. */
const twoReaders = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8))
y = relu(x)
z = gelu(x)
place(x, layout("dp", "None"))
strategy(y, b="mp")
strategy(z, a="dp", b="mp")
`;

/** A sum over `mp` that the text scatters; \`z\` reads it in that layout. */
const placed = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 4))
w = Parameter((4, 16))
y = matmul(x, w)
strategy(y, m="dp", k="mp")
place(y, layout("dp", "mp"))
z = softmax(y)
`;

/** A running sum, whose result is whole along its dim and placed otherwise. */
const placedWhole = placed.replace(
  "z = softmax(y)",
  'z = cumsum(y, dim=1)\nplace(z, layout("None", "mp"))',
);

function viewIn({ graph, tensors }: Compiled, name: string) {
  const id = graph.tensors.find((tensor) => tensor.name === name)?.id;
  const view = tensors.find(({ tensor }) => tensor === id);
  if (view === undefined) throw new Error(`no view of ${name}`);
  return view;
}

/** Each state of a tensor by its name: `at rest dp,_`. */
function statesIn(compiled: Compiled, name: string): readonly string[] {
  const view = viewIn(compiled, name);
  const first = `${stateName(view)} ${printLayout(restState(view).layout)}`;
  const others = (view.reads ?? []).map(
    (read) => `${stateName(view, read)} ${printLayout(read.layout)}`,
  );
  return [first, ...others];
}

/** `b` is cut at rest as it is read, so zero=3 does not change it. */
const cutAsRead = `mesh = Mesh(dp=2, mp=2)
x = Tensor((16, 16))
w = Parameter((16, 16))
v = Parameter((12, 16))
b = Parameter((16, 16))
h = matmul(x, w)
s = add(h, b)
y = matmul(s, w)
z = matmul(v, b)
strategy(h, n="dp")
train(y, optimizer="adam", zero=3)
`;

test.each`
  text           | tensor  | states
  ${fsdp}        | ${"w1"} | ${["at rest dp,_", "as h reads it _,_"]}
  ${fsdp}        | ${"x"}  | ${["at rest dp,_"]}
  ${reshard}     | ${"t"}  | ${["at rest y,_,x", "as u reads it _,x*y,_"]}
  ${twoReaders}  | ${"x"}  | ${["at rest dp,_", "as y reads it _,mp", "as z reads it dp,mp"]}
  ${placed}      | ${"y"}  | ${["as placed dp,mp", "as made dp,_|mp"]}
  ${placedWhole} | ${"z"}  | ${["as placed _,mp", "as made dp,_"]}
`("$tensor has the states $states", ({ text, tensor, states }) => {
  expect(statesIn(compile(text), tensor)).toEqual(states);
});

test("an operator that reads a tensor twice is told by the operand", () => {
  const text = `mesh = Mesh(mp=2)\nx = Tensor((8, 8))\ny = matmul(x, x)\nstrategy(y, m="mp")\n`;
  expect(statesIn(compile(text), "x")).toEqual(["at rest mp,_", "as y (operand 2) reads it _,_"]);
});

test.each`
  text           | gesture                                                                        | states
  ${reshard}     | ${{ kind: "cycle", tensor: "t", dim: 2 }}                                      | ${["at rest y,_,_", "as u reads it _,x*y,_"]}
  ${reshard}     | ${{ kind: "unsplit", tensor: "t", dim: 2, axis: "x" }}                         | ${["at rest y,_,_", "as u reads it _,x*y,_"]}
  ${reshard}     | ${{ kind: "unsplit", tensor: "t", dim: 1, axis: "x", reader: of("u") }}        | ${["at rest y,_,x", "as u reads it _,y,_"]}
  ${reshard}     | ${{ kind: "split", tensor: "t", dim: 2, axis: "x", reader: of("u") }}          | ${'"x" already splits "b" of "t"'}
  ${reshard}     | ${{ kind: "move", tensor: "t", dim: 2, axis: "x", reader: of("u") }}           | ${["at rest y,_,x", "as u reads it _,y,x"]}
  ${twoReaders}  | ${{ kind: "split", tensor: "x", dim: 1, axis: "mp" }}                          | ${["at rest dp,mp", "as y reads it _,mp"]}
  ${twoReaders}  | ${{ kind: "whole", tensor: "x", dim: 1, reader: of("z") }}                     | ${["at rest dp,_", "as y reads it _,mp"]}
  ${twoReaders}  | ${{ kind: "split", tensor: "x", dim: 0, axis: "dp", reader: of("y") }}         | ${["at rest dp,_", "as y reads it dp,mp", "as z reads it dp,mp"]}
  ${placed}      | ${{ kind: "unsplit", tensor: "y", dim: 1, axis: "mp" }}                        | ${["as placed dp,_", "as made dp,_|mp"]}
  ${placed}      | ${{ kind: "whole", tensor: "y", dim: 0, reader: of("y", "made") }}             | ${["as placed dp,mp", "as made _,_|mp"]}
  ${placed}      | ${{ kind: "move", tensor: "y", dim: 1, axis: "mp", reader: of("y", "made") }}  | ${["as placed dp,mp"]}
  ${placedWhole} | ${{ kind: "split", tensor: "z", dim: 1, axis: "mp", reader: of("z", "made") }} | ${'"z" makes "b" of "z" whole'}
  ${fsdp}        | ${{ kind: "whole", tensor: "w1", dim: 0 }}                                     | ${'at rest zero=3 of train(…) keeps "k" of "w1" split over "dp"'}
  ${fsdp}        | ${{ kind: "move", tensor: "w1", dim: 1, axis: "dp" }}                          | ${["at rest _,dp", "as h reads it _,_"]}
  ${fsdp}        | ${{ kind: "move", tensor: "w1", dim: 1, axis: "dp", reader: of("h", 1) }}      | ${["at rest _,dp"]}
  ${fsdp}        | ${{ kind: "split", tensor: "g", dim: 0, axis: "dp", reader: of("n", 1) }}      | ${'"dp" already splits "a" of "x"'}
  ${fsdp}        | ${{ kind: "whole", tensor: "w1", dim: 0, reader: of("h") }}                    | ${'"h" does not read "w1"'}
  ${cutAsRead}   | ${{ kind: "whole", tensor: "b", dim: 1 }}                                      | ${'at rest zero=3 of train(…) would split "a" of "b" otherwise too'}
`("$gesture leaves $states", ({ text, gesture, states }) => {
  const outcome = applyGesture(text, gesture);
  const found = outcome.ok ? statesIn(compile(outcome.source), gesture.tensor) : outcome.reason;
  expect(found).toEqual(states);
});

function of(operator: string, operand: Reader["operand"] = 0): Reader {
  return { operator: operatorId(operator), operand };
}

/** Programs of a few operators, with inputs in many layouts at rest and as read. */
const cut = fc.constantFrom("", "dp", "mp", "dp mp", "mp dp");
const programs = fc
  .record({
    places: fc.array(fc.tuple(fc.constantFrom("x", "w", "v", "b"), cut, cut), { maxLength: 2 }),
    strategies: fc.array(
      fc.tuple(fc.constantFrom("h", "y", "s", "z"), cut, cut, fc.constantFrom("m n", "m k", "k n")),
      { maxLength: 4 },
    ),
    zero: fc.constantFrom(undefined, 0, 1, 3, 3),
    isAlike: fc.boolean(),
  })
  .map(textOf);

interface Pieces {
  readonly places: readonly (readonly [string, string, string])[];
  readonly strategies: readonly (readonly [string, string, string, string])[];
  readonly zero: number | undefined;
  readonly isAlike: boolean;
}

function textOf({ places, strategies, zero, isAlike }: Pieces): string {
  const axes = (text: string) =>
    text.includes(" ")
      ? `(${text
          .split(" ")
          .map((each) => `"${each}"`)
          .join(", ")})`
      : `"${text || "None"}"`;
  const placed = places.map(([name, a, b]) => `place(${name}, layout(${axes(a)}, ${axes(b)}))`);
  const split = strategies.map(([name, a, b, dims]) => {
    const [first, second] = (name === "s" ? "a b" : dims).split(" ");
    const cuts = [[first, a] as const, [second, b] as const].flatMap(([dim, each]) =>
      each === "" ? [] : [`, ${dim}=${axes(each)}`],
    );
    return `strategy(${name}${cuts.join("")})`;
  });
  return [
    "mesh = Mesh(dp=2, mp=2)",
    "x = Tensor((16, 16))",
    "w = Parameter((16, 16))",
    `v = Parameter((${isAlike ? 16 : 12}, 16))`,
    "b = Parameter((16, 16))",
    "h = matmul(x, w)",
    "s = add(h, b)",
    "y = matmul(s, w)",
    `z = matmul(${isAlike ? "y, v" : "v, b"})`,
    ...placed,
    ...split,
    ...(zero === undefined
      ? []
      : [`train(${isAlike ? "z" : "y"}, optimizer="adam", zero=${zero})`]),
    "",
  ].join("\n");
}

/** Examples with a tensor that is not read in its layout at rest. */
const gallery = examples.flatMap(({ program, plan, name }) =>
  plan === undefined && name !== "transformer-stack" && /place|zero/.test(program) ? [program] : [],
);

const draws = fc.record({
  text: fc.oneof({ weight: 3, arbitrary: programs }, fc.constantFrom(...gallery)),
  tensor: fc.nat(1_000),
  state: fc.nat(1_000),
  dim: fc.nat(10),
  axis: fc.nat(10),
  kind: fc.constantFrom("split", "split", "unsplit", "move", "whole", "set"),
});

interface Chosen {
  readonly compiled: Compiled;
  readonly tensor: Tensor;
  readonly view: TensorView;
  readonly reader: Reader | undefined;
  readonly gesture: DimGesture;
}

/** A gesture on a state of an input or parameter of the program. */
function chosenOf({ text, ...numbers }: Numbers): Chosen | undefined {
  const compiled = compile(text);
  const leaves = compiled.graph.tensors.filter(
    ({ producer, shape }) => producer === undefined && shape.length > 0,
  );
  const tensor = leaves[numbers.tensor % Math.max(1, leaves.length)];
  const view = compiled.tensors.find((each) => each.tensor === tensor?.id);
  const { axes } = compiled.mesh.mesh;
  if (tensor === undefined || view === undefined || axes.length === 0) return undefined;
  const states = [undefined, ...(view.reads ?? [])];
  const read = states[numbers.state % states.length];
  const dim = numbers.dim % tensor.shape.length;
  const axis = axes[numbers.axis % axes.length]?.name ?? "";
  const reader = read && { operator: read.operator, operand: read.operand };
  const gesture: DimGesture = {
    ...{ kind: numbers.kind, tensor: tensor.id, dim },
    ...(numbers.kind === "set" ? { axes: [axis], takesOver: true } : { axis }),
    ...(reader !== undefined && { reader }),
  };
  return { compiled, tensor, view, reader, gesture };
}

type Numbers = typeof draws extends fc.Arbitrary<infer T> ? T : never;

function namesOf({ parts }: DimLayout): readonly string[] {
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
}

/** Axes that each dim of a state must have after a gesture. */
function asked(before: Layout, { kind, dim, axis = "", axes = [] }: DimGesture) {
  return before.dims.map((each, at) => {
    const names = namesOf(each);
    if (at !== dim)
      return names.filter(
        (name) =>
          kind === "split" ||
          ![...axes, axis].includes(name) ||
          kind === "unsplit" ||
          kind === "whole",
      );
    if (kind === "whole") return [];
    if (kind === "set") return axes;
    return kind === "unsplit" ? names.filter((name) => name !== axis) : [...names, axis];
  });
}

function stateIn(compiled: Compiled, tensor: TensorId, reader: Reader | undefined): Layout {
  const view = compiled.tensors.find((each) => each.tensor === tensor);
  if (view === undefined) throw new Error(`no view of ${tensor}`);
  return (stateReadBy(view, reader) ?? restState(view)).layout;
}

const numRuns = process.env["SOAK"] ? 20_000 : 50;

test("a gesture changes exactly the state that is shown of an input or parameter, or says why not", () => {
  const counts = { rest: 0, read: 0, other: 0, declined: 0 };
  fc.assert(
    fc.property(draws, (numbers) => {
      const chosen = chosenOf(numbers);
      if (chosen === undefined) return;
      const { compiled, tensor, view, reader, gesture } = chosen;
      const outcome = applyGesture(numbers.text, gesture);
      if (!outcome.ok) {
        expect(outcome.reason).not.toBe("");
        counts.declined += 1;
        return;
      }
      const after = compile(outcome.source);
      const before = stateIn(compiled, tensor.id, reader);
      const now = stateIn(after, tensor.id, reader);
      expect(now.dims.map(namesOf), outcome.source).toEqual(asked(before, gesture));
      counts[reader === undefined ? "rest" : "read"] += 1;
      for (const other of otherStates(compiled, view, reader)) {
        const [had, has] = [compiled, after].map((each) => stateIn(each, tensor.id, other));
        if (had === undefined || has === undefined) continue;
        expect(sameBlocks(had, has, tensor.shape), `${outcome.source}\n${printLayout(has)}`).toBe(
          true,
        );
        counts.other += 1;
      }
    }),
    { seed: 5, numRuns },
  );
  for (const [what, count] of Object.entries(counts)) {
    expect(count, what).toBeGreaterThanOrEqual(numRuns / 25);
  }
});

/** Other states set by the text, which must not change with this one. */
function otherStates(
  { plan }: Compiled,
  view: TensorView,
  reader: Reader | undefined,
): readonly (Reader | undefined)[] {
  const isPlaced = plan.placements.get(view.tensor)?.status === "set";
  const isSet = ({ operator }: Reader) => plan.operators.get(operator)?.status === "set";
  const others = (view.reads ?? []).filter(
    (read) => isSet(read) && (reader === undefined || read.operator !== reader.operator),
  );
  return [...(isPlaced && reader !== undefined ? [undefined] : []), ...others];
}

test("what is chosen to be drawn is what every word for it names", () => {
  for (const text of [fsdp, reshard, twoReaders]) {
    const compiled = compile(text);
    for (const view of compiled.tensors) {
      for (const read of view.reads ?? []) {
        const readers = new Map([[view.tensor, read]]);
        const drawn = withReaders(compiled, readers);
        const shown = drawn.tensors.find(({ tensor }) => tensor === view.tensor);
        expect(shown && shownLayout(shown)).toBe(read.layout);
        expect(drawn.tensors.filter(({ shown: other }) => other !== undefined)).toEqual([shown]);
      }
    }
    expect(withReaders(compiled, new Map())).toBe(compiled);
  }
});
