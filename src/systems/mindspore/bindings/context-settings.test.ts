import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reading } from "../../../language/document/reading.testing.ts";

/** A call that sets one option, and what MindSpore 2.10.0 raises for it; nothing where it takes it. */
interface Setting {
  readonly call: string;
  readonly raises?: string;
}

const settings: readonly Setting[] = JSON.parse(
  readFileSync("src/systems/mindspore/bindings/context-settings.json", "utf8"),
);

test.each(settings)("$call raises $raises", ({ call, raises }) => {
  const head = "import mindspore as ms\nfrom mindspore import context, Layout, ops\n";
  const { said } = reading(`${head}${call}\nx = Tensor((8, 8))\ny = ops.relu(x)\n`);
  const errors = said.filter((line) => line.startsWith("error"));
  expect(errors.map((line) => line.split(" ").at(-1))).toEqual(
    raises === undefined ? [] : [raises],
  );
});
