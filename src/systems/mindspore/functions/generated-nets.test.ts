import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

/**
 * Nets of functional operators and of primitives with strategies, generated from a seed
 * (`engines/generate_mindspore_nets.py`) or of one function each, with their compilation by
 * MindSpore 2.10.0.
 */
interface GeneratedNet {
  readonly name: string;
  readonly program: string;
  readonly operators?: readonly string[];
  readonly collectives?: readonly string[];
  /** MindSpore's message if it refuses the net. */
  readonly refused?: string;
}

const nets: readonly GeneratedNet[] = JSON.parse(
  readFileSync("src/systems/mindspore/functions/generated-nets.json", "utf8"),
);

/**
 * Operators in the compiler's form: without numbers, which have no dims, and without those that
 * have no strategy.
 */
function plain(operators: readonly string[]): readonly string[] {
  const withStrategy = operators.filter(
    (each) => !/^(Reshape|Cast|MakeTuple|Squeeze)\b/.test(each),
  );
  return withStrategy
    .map((each) => each.replaceAll(" ()", "").replace(/ (undefined)?$/, ""))
    .toSorted();
}

test.each(nets)("the net of $name is emitted as MindSpore compiles it", (net) => {
  const got = shortly(net.program);
  if (net.refused !== undefined) {
    expect(got.errors, `${net.program}\n${net.refused}`).not.toEqual([]);
    return;
  }
  expect(got.errors).toEqual([]);
  expect(plain(got.operators), net.program).toEqual(plain(net.operators ?? []));
  const sent = got.collectives.map((each) => each.replace(/ \w+$/, ""));
  expect(sent.toSorted(), net.program).toEqual((net.collectives ?? []).toSorted());
});
