import { expect, test } from "vitest";
import { type TreeStop, treeMove, typedAhead } from "./tree-keys.ts";

/** Tree from lines: `> blocks` is folded, `v attn` open, `q` a leaf; two spaces per level. */
function stopsOf(text: string): readonly TreeStop[] {
  return text.split("\n").map((line) => {
    const level = (line.length - line.trimStart().length) / 2 + 1;
    const [, sign, name = ""] = /^([>v])?\s*(.*)$/u.exec(line.trim()) ?? [];
    return { id: name, name, level, ...(sign !== undefined && { isOpen: sign === "v" }) };
  });
}

const tree = stopsOf("ids\nv blocks\n  v attn\n    q\n    qk\n  > mlp\nhead");

test.each([
  ["ids", "ArrowDown", "go blocks"],
  ["ids", "ArrowUp", ""],
  ["ids", "ArrowRight", ""],
  ["ids", "ArrowLeft", ""],
  ["blocks", "ArrowRight", "go attn"],
  ["blocks", "ArrowLeft", "toggle blocks"],
  ["qk", "ArrowLeft", "go attn"],
  ["qk", "ArrowRight", ""],
  ["mlp", "ArrowRight", "toggle mlp"],
  ["mlp", "ArrowLeft", "go blocks"],
  ["mlp", "Home", "go ids"],
  ["ids", "End", "go head"],
  ["head", "ArrowDown", ""],
])("at %s %s: %s", (from, key, said) => {
  const at = tree.findIndex(({ id }) => id === from);
  const move = treeMove(tree, at, key);
  const text = move === undefined ? "" : `${move.kind} ${move.kind === "go" ? move.to : move.id}`;
  expect(text).toBe(said);
});

test.each([
  ["ids", "q", "q"],
  ["q", "q", "qk"],
  ["qk", "q", "q"],
  ["q", "qq", "qk"],
  ["q", "qk", "qk"],
  ["mlp", "m", "mlp"],
  ["head", "b", "blocks"],
  ["head", "z", undefined],
])("at %s the word %s leads to %s", (from, word, to) => {
  const at = tree.findIndex(({ id }) => id === from);
  expect(typedAhead(tree, at, word)?.id).toBe(to);
});
