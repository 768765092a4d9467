import fc from "fast-check";
import { expect, test } from "vitest";
import { hasErrors } from "#core/diagnostics";
import { bindAnnotation, parseAnnotation } from "#core/dimops";
import {
  chunkLengths,
  isExactCover,
  lengthOf,
  type Projection,
  project,
  projectBox,
} from "#core/indexspace";
import { boundAnnotations } from "../../core/dimops/annotation.testing.ts";
import { checkLoom } from "./check-loom.ts";
import { loomAxes, loomOfAnnotation } from "./from-dimops.ts";
import type { LoomGraph, OperationNode } from "./graph.ts";
import { runs } from "./loom.testing.ts";
import { shardOperation } from "./shard-operation.ts";
import { splitReduction } from "./split-reduction.ts";
import { annotationOf } from "./to-dimops.ts";
import { writeLoom } from "./write-loom.ts";

function bind(text: string, shapes: readonly (readonly number[])[], kwargs = {}) {
  const parsed = parseAnnotation(text);
  const inputs = shapes.map((shape) => ({ kind: "tensor", shape }) as const);
  const bound = parsed.ok ? bindAnnotation(parsed.value, inputs, kwargs) : undefined;
  if (bound?.ok !== true) throw new Error(`"${text}" does not bind`);
  return bound.value;
}

function operationsOf(graph: LoomGraph): readonly OperationNode[] {
  return graph.nodes.filter((node) => node.kind === "Operation");
}

/** A projection as `coefficients xextent`, dims apart by `/`. */
function show(projection: Projection | undefined): string {
  return (projection ?? [])
    .map(({ coefficients, extent }) => `${coefficients.join(" ")} x${extent}`)
    .join(" / ");
}

/** Every projection of an operation, by operand name. */
function shown({ tags: { signature } }: OperationNode): Readonly<Record<string, string>> {
  const maps = [...(signature?.inputs ?? []), ...(signature?.outputs ?? [])];
  return Object.fromEntries(maps.map(([name, list]) => [name, list.map(show).join(", ")]));
}

function verdict(graph: LoomGraph, dialect: "op" | "app"): readonly string[] {
  const { diagnostics } = checkLoom(writeLoom(graph), { dialect });
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

/** The graph with its operations sharded, each axis in pieces of at most `chunk` indices. */
function shardedBy(graph: LoomGraph, chunk: number): LoomGraph {
  return operationsOf(graph).reduce((sharded, { id, tags: { index = [] } }) => {
    const lengths = index.map((range) => chunkLengths(lengthOf(range), chunk));
    return shardOperation(sharded, id, lengths);
  }, graph);
}

const matmul = bind("m^ kd+, kd+ n -> m^ n", [
  [4, 6],
  [6, 8],
]);

test("[5] the matmul with a frozen axis in both forms", () => {
  const named = { names: ["x", "w", "out"], kernel: "matmul" };
  const [open] = operationsOf(loomOfAnnotation(matmul, { ...named, form: "open" }));
  expect(loomAxes(matmul, "open")).toEqual(["m", "n", "kd"]);
  expect(open && shown(open)).toEqual({
    x: "1 0 0 x1 / 0 0 1 x1",
    w: "0 0 1 x1 / 0 1 0 x1",
    out: "1 0 0 x1 / 0 1 0 x1",
  });
  const [closed] = operationsOf(loomOfAnnotation(matmul, named));
  expect(loomAxes(matmul, "closed")).toEqual(["n"]);
  expect(closed && shown(closed)).toEqual({
    x: "0 x4 / 0 x6",
    w: "0 x6 / 1 x1",
    out: "0 x4 / 1 x1",
  });
  expect(Object.fromEntries(closed?.params ?? [])).toEqual({
    anno: "m^ kd+, kd+ n -> m^ n",
    index_names: ["n"],
    arguments: ["x", "w"],
  });
});

test.each`
  annotation             | shapes              | kwargs      | closed
  ${"(h t) k -> h t k"}  | ${[[6, 5]]}         | ${{ t: 3 }} | ${["h", "k"]}
  ${"h t k -> (h t) k"}  | ${[[2, 3, 5]]}      | ${{}}       | ${["h", "k"]}
  ${"a a -> a"}          | ${[[4, 4]]}         | ${{}}       | ${["a"]}
  ${"a -> a a"}          | ${[[4]]}            | ${{}}       | ${[]}
  ${"a b -> a"}          | ${[[4, 4]]}         | ${{}}       | ${["a"]}
  ${"4 k+, k+ d -> 8 d"} | ${[[4, 2], [2, 3]]} | ${{}}       | ${["d"]}
  ${"a b -> a b, a"}     | ${[[4, 3]]}         | ${{}}       | ${["a"]}
`("[5] the closed form of $annotation has the axes $closed", (row) => {
  expect(loomAxes(bind(row.annotation, row.shapes, row.kwargs), "closed")).toEqual(row.closed);
});

test("tensors begin where they are said to, and the projections with them", () => {
  const graph = loomOfAnnotation(matmul, { starts: [[-10, 4], [], [0, 100]] });
  expect(verdict(graph, "op")).toEqual([]);
  const ranges = graph.nodes.flatMap((node) => (node.kind === "Tensor" ? [node.range] : []));
  expect(ranges.map((box) => box.map(({ start }) => start))).toEqual([
    [-10, 4],
    [0, 0],
    [0, 100],
  ]);
});

test("both forms of every annotation are graphs that Loom accepts", () => {
  fc.assert(
    fc.property(boundAnnotations, fc.constantFrom("open", "closed"), (bound, form) => {
      expect(verdict(loomOfAnnotation(bound, { form }), "op")).toEqual([]);
    }),
    runs(150),
  );
});

test("every grid of a closed form tiles all outputs; a split of any other free axis does not", () => {
  let isSharded = false;
  fc.assert(
    fc.property(boundAnnotations, fc.constantFrom(1, 2, 3), (bound, chunk) => {
      const graph = shardedBy(loomOfAnnotation(bound), chunk);
      if (graph.nodes.length > 200) return;
      isSharded ||= graph.nodes.length > 8;
      expect(verdict(graph, "app")).toEqual([]);
    }),
    runs(150),
  );
  expect(isSharded).toBe(true);
  const open = loomOfAnnotation(matmul, { form: "open" });
  const [operation] = operationsOf(open);
  const id = operation?.id ?? open.id;
  expect(verdict(shardOperation(open, id, [[4], [8], [3, 3]]), "app")).toEqual([
    'the shards of "op" make these cells of "y0" more than once: [0:4, 0:8]',
  ]);
});

test("shards need an operation with an index and a signature", () => {
  const graph = loomOfAnnotation(matmul);
  const [operation] = operationsOf(graph);
  const bare = { ...graph, nodes: operation === undefined ? [] : [{ ...operation, tags: {} }] };
  expect(shardOperation(bare, operation?.id ?? graph.id, [])).toBe(bare);
  expect(shardOperation(graph, graph.id, [])).toBe(graph);
});

test("[5] a split sum becomes partial results with a block axis, and their sum", () => {
  const free = bind("m kd+, kd+ n -> m n", [
    [4, 6],
    [6, 8],
  ]);
  const split = splitReduction(free, {
    ...{ axis: "kd", count: 2, kernel: "matmul", names: ["x", "w", "y"] },
  });
  if (!split.ok) throw new Error("the split is refused");
  const [first, second] = operationsOf(split.graph);
  expect(first && shown(first)).toEqual({
    x: "1 0 0 x1 / 0 3 0 x3",
    w: "0 3 0 x3 / 0 0 1 x1",
    part: "1 0 0 x1 / 0 1 0 x1 / 0 0 1 x1",
  });
  expect(second && shown(second)).toEqual({
    part: "1 0 x1 / 0 0 x2 / 0 1 x1",
    y: "1 0 x1 / 0 1 x1",
  });
  expect(first?.tags.index?.map(lengthOf)).toEqual([4, 2, 8]);
  expect(verdict(split.graph, "op")).toEqual([]);
  expect(verdict(shardedBy(split.graph, 1), "app")).toEqual([]);
});

test("[4.2] a bias is added once, after the sum", () => {
  const linear = bind("b k+, n k+, n -> b n", [[4, 6], [8, 6], [8]]);
  const split = splitReduction(linear, { axis: "k", count: 3, addAfter: [2], kernel: "linear" });
  if (!split.ok) throw new Error("the split is refused");
  expect(operationsOf(split.graph).map(shown)).toEqual([
    {
      x0: "1 0 0 x1 / 0 2 0 x2",
      x1: "0 0 1 x1 / 0 2 0 x2",
      part: "1 0 0 x1 / 0 1 0 x1 / 0 0 1 x1",
    },
    { part: "1 0 x1 / 0 0 x3 / 0 1 x1", y0: "1 0 x1 / 0 1 x1" },
    { sum: "1 0 x1 / 0 1 x1", x2: "0 1 x1", y0: "1 0 x1 / 0 1 x1" },
  ]);
  expect(verdict(shardedBy(split.graph, 2), "app")).toEqual([]);
});

test.each`
  annotation                | shapes                   | options                                   | why
  ${"m k, k n -> m n"}      | ${[[4, 6], [6, 8]]}      | ${{ axis: "k", count: 2 }}                | ${'"k" is not summed'}
  ${"m k+, k+ n -> m n"}    | ${[[4, 6], [6, 8]]}      | ${{ axis: "q", count: 2 }}                | ${'"q" is not summed'}
  ${"m k+, k+ n -> m n"}    | ${[[4, 6], [6, 8]]}      | ${{ axis: "k", count: 4 }}                | ${'"k" has 6 indices, which 4 blocks'}
  ${"m k+ -> m, m"}         | ${[[4, 6]]}              | ${{ axis: "k", count: 2 }}                | ${"exactly one output"}
  ${"b k+, n k+, n -> b n"} | ${[[4, 6], [8, 6], [8]]} | ${{ axis: "k", count: 2 }}                | ${'input 2 lacks "k"'}
  ${"m k+, k+ n -> m n"}    | ${[[4, 6], [6, 8]]}      | ${{ axis: "k", count: 2, addAfter: [0] }} | ${'input 0 has "k"'}
`("a split of $options.axis of $annotation is refused: $why", (row) => {
  const split = splitReduction(bind(row.annotation, row.shapes), row.options);
  expect(split).toMatchObject({ ok: false, why: expect.stringContaining(row.why) });
});

/** Products over `k` of two tensors of any dims, `k` in a bracket or alone. */
const products = fc
  .tuple(
    fc.shuffledSubarray(["a", "b", "k+"], { minLength: 1 }),
    fc.shuffledSubarray(["c", "b", "(k+ h)"], { minLength: 1 }),
    fc.shuffledSubarray(["a", "b", "c", "h"]),
    fc.constantFrom(2, 3, 4, 6, 12),
  )
  .map(([left, right, out, k]) => {
    const has = (name: string) => [...left, ...right].some((dim) => dim.includes(name));
    const x = left.includes("k+") ? left : [...left, "k+"];
    const w = right.includes("(k+ h)") ? right : [...right, "k+"];
    const sizes: Readonly<Record<string, number>> = {
      a: 2,
      b: 3,
      c: 4,
      h: 2,
      "k+": k,
      "(k+ h)": 2 * k,
    };
    const shapes = [x, w].map((dims) => dims.map((dim) => sizes[dim] ?? 1));
    const text = `${x.join(" ")}, ${w.join(" ")} -> ${out.filter(has).join(" ") || "1"}`;
    return bind(text, shapes, { h: 2 });
  });

test("the blocks of a split sum take every cell of the products once", () => {
  fc.assert(
    fc.property(products, fc.constantFrom(1, 2, 3), (bound, count) => {
      const size = bound.sizes.get("k") ?? 0;
      const split = splitReduction(bound, { axis: "k", count });
      expect(split.ok).toBe(size % count === 0);
      if (!split.ok) return;
      expect(verdict(split.graph, "op")).toEqual([]);
      expect(verdict(shardedBy(split.graph, 2), "app")).toEqual([]);
      const [closed] = operationsOf(loomOfAnnotation(bound));
      const [first] = operationsOf(split.graph);
      if (closed === undefined || first === undefined) throw new Error("no operation");
      const [before, after] = [projectionsIn(closed), projectionsIn(first)];
      for (const input of [0, 1]) {
        const whole = project(before[input] ?? [], firstPoint(closed));
        const names = first.params.get("index_names");
        const axis = Array.isArray(names) ? names.indexOf("k") : -1;
        const blocks = Array.from({ length: count }, (_, at) => {
          const point = firstPoint(first).toSpliced(axis, 1, at);
          return project(after[input] ?? [], point);
        });
        expect(isExactCover(whole, blocks)).toBe(true);
      }
    }),
    runs(100),
  );
});

function firstPoint({ tags: { index = [] } }: OperationNode): readonly number[] {
  return index.map(({ start }) => start);
}

/** The signature of an operation, operand by operand. */
function projectionsIn({ tags: { signature } }: OperationNode): readonly Projection[] {
  const maps = [...(signature?.inputs.values() ?? []), ...(signature?.outputs.values() ?? [])];
  return maps.flat();
}

test("[5] an annotation comes back from the signature that it made", () => {
  let compared = 0;
  fc.assert(
    fc.property(boundAnnotations, fc.constantFrom("open", "closed"), (bound, form) => {
      const graph = loomOfAnnotation(bound, { form });
      const [operation] = operationsOf(graph);
      const hasOperands = bound.inputs.every(({ kind }) => kind === "tensor");
      if (operation === undefined || !hasOperands || graph.nodes.length < 2) return;
      const bare = { ...operation, params: new Map([...operation.params].slice(1)) };
      const read = annotationOf(bare);
      const again = rebound(read?.annotation ?? "", bare);
      if (again === undefined) return;
      const names = new Set(read?.frozen);
      const made = projectionsIn(again);
      projectionsIn(operation).forEach((rows, at) => {
        const isPlain = rows.every(({ coefficients }) =>
          coefficients.every((step, axis) => step === 0 || !names.has(axis)),
        );
        if (!isPlain || rows.length === 0) return;
        expect(show(steps(again, made[at] ?? []))).toBe(show(steps(operation, rows)));
        compared++;
      });
    }),
    runs(300),
  );
  expect(compared).toBeGreaterThan(50);
});

/** A projection without the steps along axes of length 1, which have no effect. */
function steps({ tags: { index = [] } }: OperationNode, rows: Projection): Projection {
  return rows.map((row) => ({
    ...row,
    coefficients: row.coefficients.map((step, axis) => {
      const range = index[axis];
      return range !== undefined && lengthOf(range) > 1 ? step : 0;
    }),
  }));
}

/** The annotation bound to the shapes of an operation, as an operation with the same axes. */
function rebound(annotation: string, operation: OperationNode): OperationNode | undefined {
  const { index = [] } = operation.tags;
  const shapes = projectionsIn(operation).map((rows) => projectBox(rows, index).map(lengthOf));
  const parsed = parseAnnotation(annotation);
  if (!parsed.ok) return undefined;
  const inputs = shapes
    .slice(0, parsed.value.inputs.length)
    .map((shape) => ({ kind: "tensor", shape }) as const);
  const bound = bindAnnotation(parsed.value, inputs);
  if (!bound.ok || hasErrors(bound.diagnostics)) return undefined;
  const names = operation.params.get("index_names");
  const wanted = Array.isArray(names) ? names.map(String) : [];
  const order = loomAxes(bound.value, "open");
  if (order.join() !== wanted.join()) return undefined;
  return operationsOf(loomOfAnnotation(bound.value, { form: "open" }))[0];
}

test.each`
  annotation             | shapes              | form        | back
  ${"m k+, k+ n -> m n"} | ${[[4, 6], [6, 8]]} | ${"open"}   | ${"m k^, k^ n -> m n"}
  ${"m k+, k+ n -> m n"} | ${[[4, 6], [6, 8]]} | ${"closed"} | ${"m 6, 6 n -> m n"}
  ${"(h 4) k -> h 4 k"}  | ${[[8, 5]]}         | ${"closed"} | ${"(h 4) k -> h 4 k"}
  ${"a a -> a"}          | ${[[4, 4]]}         | ${"open"}   | ${"a a -> a"}
  ${"1 a -> a"}          | ${[[1, 4]]}         | ${"open"}   | ${"1 a -> a"}
`(
  "[5] without its text, $annotation reads as $back ($form)",
  ({ annotation, shapes, form, back }) => {
    const [operation] = operationsOf(loomOfAnnotation(bind(annotation, shapes), { form }));
    if (operation === undefined) throw new Error("no operation");
    expect(annotationOf(operation)?.annotation).toBe(operation.params.get("anno"));
    const bare = new Map([...operation.params].filter(([name]) => name !== "anno"));
    expect(annotationOf({ ...operation, params: bare })?.annotation).toBe(back);
  },
);

test("[5] windows, strides and steps backwards freeze their axes and leave numbers", () => {
  const [operation] = operationsOf(loomOfAnnotation(bind("a b -> a b", [[8, 4]])));
  if (operation === undefined) throw new Error("no operation");
  const window = [
    { coefficients: [1, 0], offset: 0, extent: 3 },
    { coefficients: [0, 1], offset: 0, extent: 1 },
  ];
  const { signature } = operation.tags;
  if (signature === undefined) throw new Error("no signature");
  const tags = {
    ...operation.tags,
    signature: { ...signature, inputs: new Map([["x0", [window]]]) },
  };
  const read = annotationOf({ ...operation, tags });
  expect(read).toMatchObject({ annotation: "10 b -> a^ b", frozen: [0], operands: ["x0", "y0"] });
  expect(read?.diagnostics.map(({ code }) => code)).toEqual(["loom/axis-frozen"]);
  expect(annotationOf({ ...operation, tags: {} })).toBeUndefined();
  const { index: _index, ...withoutIndex } = operation.tags;
  expect(annotationOf({ ...operation, tags: { ...withoutIndex, index: [] } })).toBeUndefined();
});
