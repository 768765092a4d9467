import { expect, test } from "vitest";
import { latePart, loadAllParts, loadLikely, whenThere } from "./late-part.ts";

/**
 * Late part of one function and one class with the stand-ins a build generates, and its number of
 * loads.
 */
function madePart(isReachable: () => boolean, words?: RegExp) {
  class Counter {
    readonly start: number;
    constructor(start: number) {
      this.start = start;
    }
    static of = (start: number) => new Counter(start);
  }
  let loads = 0;
  const part = latePart(async () => {
    loads += 1;
    if (!isReachable()) throw new Error("offline");
    return [[(a: number, b: number) => a + b, Counter]];
  }, words);
  type Add = (...given: readonly number[]) => number;
  let add: Add = (...given) => {
    part.needed();
    return add(...given);
  };
  let Late: typeof Counter = part.standIn(() => Late);
  part.add(0, ([first, second]) => {
    add = first as Add;
    Late = second as typeof Counter;
  });
  const captured = { add, Late };
  return { captured, real: Counter, current: () => add(1, 2), loads: () => loads };
}

test("what needs a part waits for it and begins again, once for all that needs it", async () => {
  const { captured, real, current, loads } = madePart(() => true);
  const waits: boolean[] = [];
  const begun: string[] = [];
  const answer = async () => {
    begun.push("begun");
    return [captured.add(1, 2), new captured.Late(3).start, current()];
  };
  expect(await whenThere(answer, (isWaiting) => waits.push(isWaiting))).toEqual([3, 3, 3]);
  expect(begun).toHaveLength(2);
  expect(waits).toEqual([true, false]);
  await whenThere(answer, (isWaiting) => waits.push(isWaiting));
  await loadAllParts();
  expect(loads()).toBe(1);
  expect(waits).toEqual([true, false]);
  expect(new captured.Late(1)).toBeInstanceOf(real);
  expect(captured.Late.of(5).start).toBe(5);
  expect("of" in captured.Late).toBe(true);
});

test("every use of what is not there waits, and no use is answered without it", async () => {
  const { captured } = madePart(() => true);
  const uses: readonly ((late: typeof captured) => unknown)[] = [
    ({ add }) => add(1, 2),
    ({ Late }) => new Late(1),
    ({ Late }) => Late.of(1),
    ({ Late }) => "of" in Late,
    ({ Late }) => Object.keys(Late),
    ({ Late }) => ({}) instanceof Late,
  ];
  for (const use of uses) expect(() => use(captured)).toThrow("could not be loaded");
});

test("a part that could not be loaded fails what needs it, and is loaded by the next", async () => {
  let isReachable = false;
  const { current, loads } = madePart(() => isReachable);
  const ask = () =>
    whenThere(
      async () => current(),
      () => {},
    );
  await expect(ask()).rejects.toThrow("offline");
  isReachable = true;
  expect(await ask()).toBe(3);
  expect(loads()).toBe(2);
});

test("what stands in for a part that is there already is the part at once", async () => {
  const part = latePart(async () => [[], [() => "real"]]);
  part.add(0, () => {});
  await whenThere(
    async () => part.needed(),
    () => {},
  );
  let second: () => unknown = () => second();
  part.add(1, ([real]) => {
    second = real as () => unknown;
  });
  expect(second()).toBe("real");
});

test("a part is loaded at the words of a text that likely needs it, and asked for again where that fails", async () => {
  let isThere = false;
  const { captured, loads } = madePart(() => isThere, /\btrain\(/);
  const other = madePart(() => true);
  loadLikely("x = tensor((4,))");
  expect(loads()).toBe(0);
  loadLikely("train(y)");
  expect(loads()).toBe(1);
  await Promise.resolve();
  isThere = true;
  loadLikely("train(y)");
  loadLikely("train(y)");
  await whenThere(
    async () => captured.add(1, 2),
    () => undefined,
  );
  expect(loads()).toBe(2);
  expect(other.loads()).toBe(0);
});
