import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { type Compiled, compile, exportGraph } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { tensorId } from "#core/ir";
import { printLayout, slicesOf } from "#core/mesh";
import { applyGesture } from "#edit";
import { runPlan } from "#execute/verify";
import { type ChainLink, chainOf, chains, idOf, spellings } from "../chains.testing.ts";
import { checkLoom } from "../check-loom.ts";
import { drawnPieces } from "../drawn-pieces.ts";

const runs = (count: number) => ({
  seed: 1,
  numRuns: process.env.SOAK === undefined ? count : 50 * count,
});

const sets = ["loom", "seeds"].flatMap((set) => {
  const { cases } = JSON.parse(readFileSync(`conformance/${set}.json`, "utf8"));
  return cases.filter(({ request: { command, args } }: (typeof cases)[number]) => {
    return command === "check" && args.program.startsWith("{");
  });
});

const documents: readonly { readonly name: string; readonly text: string }[] = [
  ...sets.map(({ id, request }) => ({ name: id, text: request.args.program })),
  ...examples.flatMap(({ name, program }) =>
    program.trimStart().startsWith("{") ? [{ name, text: program }] : [],
  ),
];

test("every valid graph of the cases and of the gallery leaves byte for byte as it came", () => {
  let kept = 0;
  for (const { name, text } of documents) {
    const compiled = compile(text);
    if (hasErrors(compiled.diagnostics)) continue;
    expect([name, exportGraph(compiled).text]).toEqual([name, text]);
    kept++;
  }
  expect(kept).toBeGreaterThan(30);
});

const spelling = fc.constantFrom(...spellings);

function piecesIn({ graph, plan, imported }: Compiled, name: string): readonly string[] {
  const operator = graph.operators.find((each) => each.name === name);
  const operation = imported?.operations.find((each) => each.operator === operator?.id);
  const own = operator && plan.operators.get(operator.id);
  if (operator === undefined || operation === undefined || own === undefined) return [];
  return drawnPieces(operation, operator, own)
    .map((box) => JSON.stringify(box))
    .sort();
}

function shardsIn({ imported }: Compiled, name: string): readonly string[] {
  const operation = imported?.operations.find(({ operator }) => operator === name);
  return (operation?.shards ?? []).map(({ index }) => JSON.stringify(index)).sort();
}

test("random graphs are drawn as their Applications say, in pieces of any lengths, and leave as they came", () => {
  fc.assert(
    fc.property(chains, spelling, (links, spell) => {
      const text = spell(chainOf(links));
      const compiled = compile(text);
      expect(compiled.diagnostics).toEqual([]);
      const { graph, plan, tensors } = compiled;
      for (const operator of graph.operators) {
        expect(plan.operators.get(operator.id)?.status).toBe("set");
        expect(piecesIn(compiled, operator.name)).toEqual(shardsIn(compiled, operator.name));
        const [made] = operator.outputs;
        const view = tensors.find(({ tensor }) => tensor === made?.tensor);
        const tensor = graph.tensors.find(({ id }) => id === made?.tensor);
        if (view === undefined || tensor === undefined) throw new Error("nothing is made");
        const drawn = slicesOf(view.layout, tensor.shape).map(({ ranges }) =>
          JSON.stringify(
            ranges.map(({ start, stop }, dim) => {
              const by = tensor.start?.[dim] ?? 0;
              return { start: start + by, stop: stop + by };
            }),
          ),
        );
        expect([...new Set(drawn)].sort()).toEqual(piecesIn(compiled, operator.name));
      }
      expect(exportGraph(compiled)).toEqual({ text, planText: "", diagnostics: [] });
    }),
    runs(25),
  );
});

test("what a plan cuts otherwise gets other Applications, and nothing else changes a byte", () => {
  const cuts = fc.constantFrom('i0="a"', 'i1="b"', 'i0="a", i1="b"', 'i0=("a", "b")', undefined);
  fc.assert(
    fc.property(chains, spelling, cuts, (links, spell, cut) => {
      const text = spell(chainOf(links));
      const words = cut === undefined ? "" : `, ${cut}`;
      const planText = `mesh = Mesh(a=2, b=3)\nstrategy("relu"${words})\n`;
      const compiled = compile(text, { planText });
      const left = exportGraph(compiled);
      expect(checkLoom(left.text, { dialect: "app" }).issues).toEqual([]);
      expect(left.diagnostics).toEqual([]);
      const [before, after] = [JSON.parse(text), JSON.parse(left.text)];
      const isTouched = ({ body }: { readonly body: { readonly operationId?: string } }) =>
        body.operationId?.toLowerCase() === idOf(200).toLowerCase();
      const others = ({ nodes }: typeof before) =>
        nodes.filter((node: (typeof before)["nodes"][number]) => !isTouched(node));
      expect(others(after)).toEqual(others(before));
      for (const node of others(before)) {
        const own = spanIn(text, node.id);
        expect(left.text).toContain(own);
      }
      const again = compile(left.text);
      expect(shardsIn(again, "relu")).toEqual(piecesIn(compiled, "relu"));
      const kept = before.nodes.filter(isTouched).filter((node: Shard) => {
        return piecesIn(compiled, "relu").includes(JSON.stringify(boxIn(node)));
      });
      for (const node of kept) expect(after.nodes).toContainEqual(node);
      expect(exportGraph(again).text).toBe(left.text);
    }),
    runs(15),
  );
});

interface Shard {
  readonly tags: Readonly<Record<string, { readonly start: number[]; readonly end: number[] }>>;
}

function boxIn({ tags }: Shard) {
  const [box] = Object.values(tags);
  return box?.start.map((start, at) => ({ start, stop: box.end[at] }));
}

/** Text of the node with an id. */
function spanIn(text: string, id: string): string {
  const at = text.indexOf(`"${id}"`);
  const { imported } = compile(text);
  const node = imported?.nodes.find(({ whole }) => whole.from < at && at < whole.to);
  return text.slice(node?.whole.from, node?.whole.to);
}

const link = (...lengths: readonly (readonly number[])[]): ChainLink => ({
  axes: lengths.map((each) => ({ start: 0, lengths: each })),
  hasApplications: true,
});

test("three Applications, then two, stand on a mesh that holds both; a whole operation is not cut", () => {
  const text = JSON.stringify(chainOf([link([4, 4, 4], [6]), link([6, 6], [6]), link([12], [6])]));
  const compiled = compile(text);
  expect(compiled.mesh.mesh.axes.map(({ size }) => size)).toEqual([3, 2]);
  expect(compiled.mesh.status).toBe("set");
  const layouts = compiled.tensors.map(({ layout, status }) => [printLayout(layout), status]);
  expect(layouts.slice(1)).toEqual([
    ["d0,_", "set"],
    ["d1,_", "set"],
    ["_,_", "set"],
  ]);
  expect(compiled.graph.operators.map(({ name }) => name)).toEqual(["relu", "relu#2", "relu#3"]);
});

test.each(["integers", "floats"] as const)(
  "pieces of 4, 3 and 3 run as they are drawn, in %s",
  (values) => {
    const text = JSON.stringify(chainOf([link([4, 3, 3], [4]), link([5, 5], [1, 3])]));
    const { plan, program, tensors } = compile(text);
    expect(tensors.map(({ layout }) => printLayout(layout))).toContain("d2{4,3,3},_");
    const run = runPlan(plan, program, { seed: 1, values });
    expect(run.ok && run.value.equal).toBe(true);
  },
);

test("a plan that says the same as the Applications changes nothing; one that says otherwise is drawn, and said", () => {
  const text = JSON.stringify(chainOf([link([4, 4, 4], [6]), link([6, 6], [6])]));
  const same = compile(text, {
    planText: 'mesh = Mesh(a=3, b=2)\nstrategy("relu", i0="a")\nstrategy("relu#2", i0="b")\n',
  });
  expect(same.diagnostics).toEqual([]);
  expect(exportGraph(same).text).toBe(text);
  const planText = `mesh = Mesh(a=3, b=2)\nstrategy("${idOf(201)}", i1="b")\n`;
  const other = compile(text, { planText });
  expect(other.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["loom/applications-otherwise", "info"],
  ]);
  expect(other.diagnostics[0]?.message).toContain('"relu#2"');
  expect(piecesIn(other, "relu")).toEqual(shardsIn(other, "relu"));
  const small = compile(text, { planText: "mesh = Mesh(a=2)\n" });
  expect(small.diagnostics.map(({ code }) => code)).toEqual(["loom/applications-unheld"]);
  expect(exportGraph(small).text).toBe(text);
});

test("a gesture writes the mesh and what it changes into the plan, and the rest stays drawn", () => {
  const text = JSON.stringify(chainOf([link([4, 4, 4], [6]), link([6, 6], [6])]));
  const gesture = { kind: "whole", tensor: tensorId("x1"), dim: 0 } as const;
  const done = applyGesture(text, gesture);
  expect(done).toMatchObject({
    ok: true,
    source: text,
    planText: 'mesh = Mesh(d0=3, d1=2)\nstrategy("relu")\n',
  });
  const after = compile(text, { planText: done.ok ? (done.planText ?? "") : "" });
  expect(after.tensors.map(({ layout }) => printLayout(layout))).toEqual(["_,_", "_,_", "d1,_"]);
  const resized = applyGesture(text, { kind: "resize-axis", axis: "d0", size: 6 });
  expect(resized).toMatchObject({
    ok: true,
    planText: 'mesh = Mesh(d0=6, d1=2)\nstrategy("relu", i0="d0")\nstrategy("relu#2", i0="d1")\n',
  });
});

test("in the operation dialect Applications and Notes are left out and said, and the plan beside keeps the cuts", () => {
  const text = JSON.stringify(chainOf([link([4, 4, 4], [6]), link([12], [6])]), undefined, 2);
  const { text: bare, planText, diagnostics } = exportGraph(compile(text), { dialect: "op" });
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["loom/left-out", "warning"],
  ]);
  expect(diagnostics[0]?.message).toContain("4 Applications and 1 Note");
  expect(checkLoom(bare, { dialect: "op" }).issues).toEqual([]);
  const again = compile(bare, { planText });
  expect(again.diagnostics).toEqual([]);
  const layouts = ({ tensors }: Compiled) => tensors.map(({ layout }) => printLayout(layout));
  expect(layouts(again)).toEqual(layouts(compile(text)));
});

test("a graph without Applications gets them behind its operations, in its own style", () => {
  const links = [{ ...link([12], [6]), hasApplications: false }];
  const text = `${JSON.stringify(chainOf(links), undefined, 4)}\n`;
  const planText = 'mesh = Mesh(a=3)\nstrategy("relu", i0="a")\n';
  const left = exportGraph(compile(text, { planText }), { dialect: "app" });
  expect(left.text.startsWith(text.slice(0, text.lastIndexOf("}\n    ]")))).toBe(true);
  expect(checkLoom(left.text, { dialect: "app" }).issues).toEqual([]);
  expect(shardsIn(compile(left.text), "relu")).toHaveLength(3);
  expect(left.text).toMatch(/\n {8}\},\n {8}\{\n {12}"id": /);
});
