import fc from "fast-check";
import { expect, test } from "vitest";
import { fileOf } from "../published.testing.ts";
import { readHeaderBoard, readIndex } from "./read-weights.ts";

test("a header is a board of parameters, each with its shape, type and own name", () => {
  const tensors = [
    { name: "model.layers.0.w", shape: [4, 6], dtype: "BF16" },
    { name: "model.layers_0.w", shape: [3], dtype: "F8_E4M3" },
    { name: "0\n", shape: [], dtype: "ODD" },
  ];
  const made = readHeaderBoard({ ...fileOf("net.safetensors", ""), tensors });
  expect(made.ok && made.value.program?.split("\n").slice(1, -1)).toEqual([
    'model_layers_0_w = Parameter((4, 6), "bf16")  # model.layers.0.w, BF16',
    'model_layers_0_w__2 = Parameter((3,), "f8e4m3")  # model.layers_0.w, F8_E4M3',
    "t_0_ = Parameter(())  # 0, ODD",
  ]);
  expect(made.ok && made.value.parameters).toBe(28);
});

test("whatever tensors are called, every line binds a name of its own", () => {
  const property = fc.property(
    fc.array(fc.string({ unit: "binary" }), { minLength: 1 }),
    (names) => {
      const tensors = names.map((name) => ({ name, shape: [2], dtype: "F32" }));
      const made = readHeaderBoard({ ...fileOf("net.safetensors", ""), tensors });
      const lines = made.ok
        ? (made.value.program ?? "").split(/[\n\r\u2028\u2029]/u).slice(1, -1)
        : [];
      expect(lines.length).toBe(names.length);
      for (const line of lines)
        expect(line).toMatch(/^[A-Za-z_]\w* = Parameter\(\(2,\), "f32"\) {2}# /u);
      expect(new Set(lines.map((line) => line.split(" ")[0])).size).toBe(names.length);
    },
  );
  fc.assert(property, { seed: 1 });
});

test("a header of too many tensors, or of none, is refused with published/refused", () => {
  const tensors = Array.from({ length: 20_001 }, (_, at) => ({
    name: `w${at}`,
    shape: [1],
    dtype: "F32",
  }));
  for (const each of [tensors, []]) {
    const made = readHeaderBoard({ ...fileOf("net.safetensors", ""), tensors: each });
    expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
  }
});

test("an index has names, and says how much there is", () => {
  const index = {
    metadata: { total_size: 48, total_parameters: 24 },
    weight_map: { a: "1", b: "2" },
  };
  const made = readIndex(fileOf("model.safetensors.index.json", JSON.stringify(index)));
  expect(made.ok && made.value).toMatchObject({
    parameters: 24,
    weights: [{ name: "a" }, { name: "b" }],
    sentence:
      "model.safetensors.index.json has 2 tensors in 2 files, 48 bytes, 24 parameters; it says no shapes.",
  });
  expect(made.ok && made.value.program).toBe(undefined);
});

test.each(["{}", "[]", "", '{"weight_map": 3}', '{"weight_map": {'])("%s is no index", (text) => {
  const made = readIndex(fileOf("model.safetensors.index.json", text));
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
});

test("an index that is longer than any model's is refused unread", () => {
  const file = { ...fileOf("model.safetensors.index.json", ""), size: 2 ** 31 };
  expect(
    readIndex({
      ...file,
      decode: () => {
        throw new Error("read");
      },
    }).ok,
  ).toBe(false);
});
