import { expect, test } from "vitest";
import { library } from "#core/ir";
import { namesTypedHere } from "../bindings/function-types.ts";
import { falselyRefused, recorded, silentOf, wrongOf } from "./result-dtypes.testing.ts";

const tables = recorded.tables.map(
  (table) => [table.autocast?.join(" ") ?? "no context", table] as const,
);

test.each(tables)("results have the dtypes that PyTorch gives them, in %s", (_, table) => {
  expect(table.rows.flatMap((row) => wrongOf(row, table))).toEqual([]);
});

test.each(tables)("nothing that PyTorch takes is said to be refused, in %s", (_, table) => {
  expect(table.rows.flatMap((row) => falselyRefused(row, table))).toEqual([]);
});

// Products of truth values are the exception: a device may have them.
test.each(
  "x @ y; torch.bmm(a, b); F.linear(x, y, v); F.conv2d(p, k); torch.mv(x, v); torch.dot(u, v); F.softmax(x, dim=-1); torch.mean(x); F.gelu(x); F.layer_norm(x, (4,)); x - y; x & y; ~x; F.cross_entropy(x, t)".split(
    "; ",
  ),
)("what PyTorch refuses of %s is said", (form) => {
  const [table] = recorded.tables;
  const row = table?.rows.find(([each]) => each === form);
  const silent = row === undefined || table === undefined ? [form] : silentOf(row, table);
  expect(silent.filter((each) => !/^bool( bool)*$/.test(each))).toEqual([]);
});

// An entry says itself what its results are: else one that comes to the library loses its rule.
test("what the library has is typed there; other forms of pooling are written in Python", () => {
  expect(namesTypedHere().filter((name) => library.has(name))).toEqual(["max_pool2d"]);
});
