import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { specNames } from "../primitives/index.ts";
import { type CompiledNet, expectAsCompiled, type Net } from "./emitted.testing.ts";

/** A net, its compilation by MindSpore 2.10.0, and its family of operators. */
interface Row extends CompiledNet {
  readonly family: string;
}

/** One primitive, called alone, with its compilations without a strategy and with several. */
interface PrimitiveRow extends Pick<Net, "inputs" | "parameters"> {
  readonly primitive: string;
  readonly import: string;
  readonly construct: string;
  /** Further primitives used in the call. */
  readonly beside?: readonly string[];
  readonly answers: readonly (Omit<CompiledNet, keyof Net> & {
    readonly strategy: string | null;
  })[];
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/mindspore/emitted/compiled-nets.json", "utf8"),
);
const primitives: readonly PrimitiveRow[] = JSON.parse(
  readFileSync("src/systems/mindspore/emitted/compiled-primitives.json", "utf8"),
);

const families = [...new Set(rows.map(({ family }) => family))];

test.each(families)("nets of %s are emitted as MindSpore compiles them", (family) => {
  for (const row of rows.filter((each) => each.family === family)) expectAsCompiled(row);
});

test.each(primitives)("$primitive alone is emitted as MindSpore compiles it", (row) => {
  const { primitive, import: before, construct, beside = [], answers, inputs, parameters } = row;
  for (const { strategy, ...answer } of answers) {
    const made = strategy === null ? primitive : `${primitive}.shard(${strategy})`;
    const net = { before, primitives: [made, ...beside], construct: `return ${construct}`, inputs };
    expectAsCompiled({ ...net, ...(parameters && { parameters }), ...answer });
  }
});

/**
 * Names that may occur in a graph without a class in 2.10 (the first line), and primitives whose
 * nets the compiler accepts only with caches and compressed weights.
 */
const unasked = [
  "Acos NegExt ReLUV2 SoftPlus LeakyReLU HardShrink RepeatElements ResizeBilinear Load",
  "FFN LstsqV2 MatmulDDS PagedAttention PagedAttentionMask QuantLinearSparse",
].flatMap((line) => line.split(" "));

test("every primitive that is known by its links stands in a net that MindSpore has compiled", () => {
  const functions = readFileSync("src/systems/mindspore/functions/compiled-functions.txt", "utf8");
  const parts = readFileSync("src/systems/mindspore/functions/compiled-subscripts.json", "utf8");
  const layers = readFileSync("src/systems/mindspore/library/compiled-layers.txt", "utf8");
  const drawn = readFileSync("src/systems/mindspore/functions/generated-nets.json", "utf8");
  // Some layers still name the primitive that they call; only the part after the layer's name
  // counts.
  const ofLayers = layers.split("\n").map((line) => line.slice(line.indexOf("\t")));
  const texts = [JSON.stringify([rows, primitives]), functions, parts, drawn, ...ofLayers].join(
    "\n",
  );
  const isAsked = (name: string) => new RegExp(`\\b${name}\\b`, "u").test(texts);
  expect(
    specNames()
      .filter((name) => !isAsked(name))
      .sort(),
  ).toEqual(unasked.toSorted());
});
