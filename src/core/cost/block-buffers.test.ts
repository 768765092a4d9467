import { expect, test } from "vitest";
import { BlockBuffers } from "./block-buffers.ts";

/**
 * Lifetimes after settling. A line `f layers[0].w 3-5` is a parameter gathered in the forward pass
 * and needed from step 3 to 5; `r …` is a reduced gradient.
 */
function settled(lines: readonly string[]): readonly string[] {
  const blocks = new BlockBuffers();
  const buffers = lines.map((line) => {
    const [pass = "", tensor = "", time = ""] = line.split(" ");
    const [first = 0, last = 0] = time.split("-").map(Number);
    const buffer = { first, last };
    if (pass === "r") blocks.reduce(tensor, buffer);
    else blocks.gather(pass, tensor, buffer);
    return buffer;
  });
  blocks.settle();
  return buffers.map(({ first, last }) => `${first}-${last}`);
}

test.each`
  what                                       | lines                                                              | times
  ${"a block is gathered and freed at once"} | ${["f layers[0].w 3-5", "f layers[0].v 6-9"]}                      | ${["3-9", "3-9"]}
  ${"the next one while it runs"}            | ${["f layers[0].w 3-5", "f layers[1].w 7-9"]}                      | ${["3-5", "3-9"]}
  ${"no pass waits for the one before"}      | ${["f layers[1].w 3-5", "b layers[1].w 12-14"]}                    | ${["3-5", "12-14"]}
  ${"outside of blocks each is by itself"}   | ${["f head 3-5", "f table 6-9"]}                                   | ${["3-5", "6-9"]}
  ${"gradients of a block wait for all"}     | ${["r layers[0].w 3-5", "r layers[0].v 6-9", "r layers[1].w 1-2"]} | ${["3-9", "6-9", "1-2"]}
`("$what", ({ lines, times }) => {
  expect(settled(lines)).toEqual(times);
});
