import { expect, test } from "vitest";
import { layoutFrom, meshOf } from "../../core/reshard/layouts.testing.ts";
import { type EdgeList, edgeLists } from "./edge-lists.ts";

function listsOf(
  mesh: string,
  from: string,
  to: string,
  shape: readonly number[],
  order?: number[],
) {
  const own = meshOf(mesh, order);
  return edgeLists(layoutFrom(from, own), layoutFrom(to, own), shape);
}

function told(list: EdgeList | undefined) {
  return list && `${list.text}: ${list.elements}, at most ${list.largest}`;
}

// mindspore.md §3.5, §3.6, §3.8
test.each`
  mesh         | from       | to         | shape         | raw                                                                                                                                                                                                                                                           | clean
  ${"d=4"}     | ${"d,_"}   | ${"_,_"}   | ${[8, 8]}     | ${"AllGather {0, 1, 2, 3}: 48, at most 64"}                                                                                                                                                                                                                   | ${"AllGather {0, 1, 2, 3}: 48, at most 64"}
  ${"d=4"}     | ${"d,_"}   | ${"d,_"}   | ${[8, 8]}     | ${": 0, at most 16"}                                                                                                                                                                                                                                          | ${": 0, at most 16"}
  ${"x=2,y=2"} | ${"x,y"}   | ${"y,x"}   | ${[8, 8]}     | ${"AllGather {0, 2}, AllGather {0, 1}, Split, Concat dim 1, StridedSlice dim 0 by 2, StridedSlice dim 1 by 2: 48, at most 64"}                                                                                                                                | ${"AllGather {0, 1}, Split, Concat dim 1, AllGather {0, 2}, StridedSlice dim 0 by 2, StridedSlice dim 1 by 2: 48, at most 64"}
  ${"x=2,y=2"} | ${"x*y,_"} | ${"y*x,_"} | ${[8, 8]}     | ${"Reshape (1, 2, 8), AllGather {0, 2}, AllGather {0, 1}, Split, Concat dim 1, StridedSlice dim 0 by 2, StridedSlice dim 1 by 2, Reshape (2, 8): 48, at most 64"}                                                                                             | ${"AllGather {0, 1}, Reshape (1, 4, 8), AllGather {0, 2}, Reshape (8, 8), StridedSlice dim 0 by 4: 48, at most 64"}
  ${"x=4,y=4"} | ${"_,x*y"} | ${"y*x,_"} | ${[256, 256]} | ${"Reshape (256, 1, 16), Reshape (4, 64, 1, 16), AllGather {0, 1, 2, 3}, Split, Concat dim 3, StridedSlice dim 0 by 4, AllGather {0, 4, 8, 12}, Split, Concat dim 2, StridedSlice dim 1 by 4, Reshape (1, 16, 256), Reshape (16, 256): 24576, at most 16384"} | ${"Reshape (4, 64, 1, 16), AllGather {0, 1, 2, 3}, Split, Concat dim 3, AllGather {0, 4, 8, 12}, Split, Concat dim 2, Reshape (256, 256), StridedSlice dim 0 by 16: 61440, at most 65536"}
`("on $mesh from $from to $to the pass makes [$clean] of [$raw]", (row) => {
  const lists = listsOf(row.mesh, row.from, row.to, row.shape);
  expect(told(lists?.raw)).toBe(row.raw);
  expect(told(lists?.clean)).toBe(row.clean);
});

test.each`
  from     | to       | list
  ${"d,_"} | ${"_,d"} | ${"AlltoAll {0, 1, 2, 3} from dim 0 to dim 1: 12, at most 16"}
  ${"d,_"} | ${"_,_"} | ${undefined}
`("with enable_alltoall from $from to $to: $list", ({ from, to, list }) => {
  expect(told(listsOf("d=4", from, to, [8, 8])?.allToAll)).toBe(list);
});

test("groups are devices, in the order of the mesh", () => {
  const lists = listsOf("x=2,y=2", "_,y", "_,_", [8, 8], [3, 1, 2, 0]);
  expect(lists?.raw.text).toBe("AllGather {3, 1}, Split, Concat dim 1");
});

test.each`
  from       | to       | shape
  ${"_,_|d"} | ${"_,_"} | ${[8, 8]}
  ${"d,_"}   | ${"_,_"} | ${[7, 8]}
  ${"~2,_"}  | ${"_,_"} | ${[8, 8]}
`("MindSpore has no list from $from to $to of $shape", ({ from, to, shape }) => {
  expect(listsOf("d=4", from, to, shape)).toBe(undefined);
});
