import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { readLoom } from "./check-loom.ts";
import { editLoom, editNode, rangeJson, removeFromNode } from "./edit-loom.ts";
import type { LoomId } from "./graph.ts";
import { caseTexts, example } from "./loom.testing.ts";

function nodeOf(text: string, label: string): LoomId {
  const node = readLoom(text).graph?.nodes.find((each) => each.label === label);
  if (node === undefined) throw new Error(`no node "${label}"`);
  return node.id;
}

const range = [
  { start: 200, stop: 205 },
  { start: 50, stop: 55 },
];

test("a selection that is moved is read back, and no other line changes", () => {
  const path = ["body", "inputs", "tensors", 1, "range"];
  const edits = editNode(example, nodeOf(example, "op0"), path, rangeJson(range));
  const after = applyEdits(example, edits);
  const operation = readLoom(after).graph?.nodes.find(({ label }) => label === "op0");
  expect(operation?.kind === "Operation" && operation.inputs.get("tensors")?.[1]?.range).toEqual(
    range,
  );
  const before = example.split("\n");
  expect(after.split("\n").filter((line, at) => line !== before[at])).toEqual([
    '            "end" : [ 205, 55 ]',
  ]);
});

test("a new parameter stands as its neighbours do, and can be taken out again", () => {
  const id = nodeOf(example, "op0");
  const added = applyEdits(example, editNode(example, id, ["body", "params", "scale"], 2));
  expect(added).toContain('"mask_value" : 12,\n        "scale" : 2\n      }');
  expect(applyEdits(added, removeFromNode(added, id, ["body", "params", "scale"]))).toBe(example);
});

test("a node is taken out whole, wherever it stands", () => {
  const count = readLoom(example).graph?.nodes.length ?? 0;
  for (const label of ["mask", "t0", "z0"]) {
    const after = applyEdits(example, removeFromNode(example, nodeOf(example, label), []));
    const labels = readLoom(after).graph?.nodes.map((node) => node.label);
    expect([labels?.length, labels?.includes(label)]).toEqual([count - 1, false]);
  }
});

test("what is not there is not edited", () => {
  const id = nodeOf(example, "op0");
  expect(editNode(example, id, ["body", "nothing", "x"], 1)).toEqual([]);
  expect(editNode("{", id, ["body"], 1)).toEqual([]);
  expect(removeFromNode(example, id, ["body", "nothing"])).toEqual([]);
});

test("a change by hand says where it changes nothing, for want of its node or selection", () => {
  const node = nodeOf(example, "op0");
  const selection = { side: "inputs", name: "tensors", position: 1 } as const;
  const change = { kind: "set-range", node, selection, range } as const;
  const path = ["body", "inputs", "tensors", 1, "range"];
  expect(editLoom(example, change)).toEqual(editNode(example, node, path, rangeJson(range)));
  expect(editLoom(example, { kind: "remove-node", node })).toHaveLength(1);
  const beyond = { ...selection, position: 2 };
  expect(editLoom(example, { ...change, selection: beyond })).toBeUndefined();
  expect(editLoom(example, { kind: "remove-node", node: "none" })).toBeUndefined();
  expect(editLoom("{", change)).toBeUndefined();
});

test("every range of every clean case can be set to what it is without an edit", () => {
  for (const { text } of caseTexts.filter(({ isClean }) => isClean)) {
    for (const node of readLoom(text).graph?.nodes ?? []) {
      if (node.kind !== "Tensor") continue;
      expect(editNode(text, node.id, ["body", "range"], rangeJson(node.range))).toEqual([]);
    }
  }
});
