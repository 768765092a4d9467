import { expect, test } from "vitest";
import { createLruCache } from "./lru-cache.ts";

test("the values that were used last are found, older ones are forgotten", () => {
  const recent = createLruCache<number>(2);
  recent.keep("a", 1);
  recent.keep("b", 2);
  expect(recent.find("a")).toBe(1);
  recent.keep("c", 3);
  expect(["a", "b", "c"].map(recent.find)).toEqual([1, undefined, 3]);
});

test("a newer value takes the place of an older one of the same key", () => {
  const recent = createLruCache<number>(2);
  recent.keep("a", 1);
  recent.keep("b", 2);
  recent.keep("a", 3);
  expect(["a", "b"].map(recent.find)).toEqual([3, 2]);
});
