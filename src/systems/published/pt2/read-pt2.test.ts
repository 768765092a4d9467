import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { fileOf } from "../published.testing.ts";
import { resultsOf } from "../stablehlo/recorded.testing.ts";
import { readPt2 } from "./read-pt2.ts";

const folder = join(import.meta.dirname, "fixtures");
const bytesOf = (name: string) => readFileSync(join(folder, `${name}.pt2`));

function read(name: string, choice = {}) {
  const made = readPt2(fileOf(`${name}.pt2`, bytesOf(name)), choice);
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return { ...made.value, program: made.value.program ?? "" };
}

test.each`
  name        | choice
  ${"block"}  | ${{ batch: 2, sequence: 5 }}
  ${"images"} | ${{}}
  ${"words"}  | ${{}}
`("$name computes what PyTorch computes", ({ name, choice }) => {
  const recorded = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
  const { program, notes } = read(name, choice);
  expect(notes).toEqual([]);
  const { results, assumed } = resultsOf(program, recorded.arguments);
  expect(assumed.map((each) => each.name)).toEqual([]);
  expect(results.length).toBe(recorded.results.length);
  for (const [at, { values }] of results.entries()) {
    const own: readonly number[] = recorded.results[at];
    expect(values.length).toBe(own.length);
    for (const [index, value] of values.entries()) {
      const other = own[index] ?? Number.NaN;
      expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(other)));
    }
  }
});

test("weights have the model's names, and open sizes are chosen", () => {
  const { program, parameters, choice } = read("block", { batch: 3 });
  expect(program).toContain("batch = 3\nsequence = 128\n");
  expect(program).toContain('ids = Tensor((batch, sequence), "i64")');
  expect(program).toContain('qkv_weight = Parameter((24, 8), "f32")');
  expect(parameters).toBe(11 * 8 + 16 + 24 * 8 + 24 + 64);
  expect(choice).toEqual({ batch: 3, sequence: 128 });
});

test("an operator that nothing stands for is counted, and has the shapes of the file", () => {
  const { program, notes } = read("unheard");
  expect(notes.map(({ code, message }) => [code, message])).toEqual([
    [
      "published/unknown-operator",
      "operators that nothing here stands for, which are not cut: aten.cumprod.default (1), aten.special_i0e.default (1)",
    ],
  ]);
  const { graph, diagnostics } = compile(program);
  expect(hasErrors(diagnostics)).toBe(false);
  expect(graph.tensors.at(-1)?.shape).toEqual([3, 6]);
});

const zip = (entries: Readonly<Record<string, string>>) =>
  zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])));

/** An archive that states a wrong size for its program. */
function lying(size: number): Uint8Array {
  const bytes = zip({ "m/models/model.json": " ".repeat(100_000) });
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const end = bytes.length - 22;
  view.setUint32(view.getUint32(end + 16, true) + 24, size, true);
  return bytes;
}

test.each`
  what                               | bytes                                                        | why
  ${"nothing"}                       | ${new Uint8Array()}                                          | ${"no whole archive"}
  ${"a text"}                        | ${strToU8("this is no model")}                               | ${"no whole archive"}
  ${"an archive without a program"}  | ${zip({ "m/version": "1" })}                                 | ${"no exported program"}
  ${"an archive of two programs"}    | ${zip({ "m/models/a.json": "{}", "m/models/b.json": "{}" })} | ${"several programs"}
  ${"a program that is no JSON"}     | ${zip({ "m/models/model.json": "{" })}                       | ${"no JSON"}
  ${"a program of another form"}     | ${zip({ "m/models/model.json": '{"graph_module": 3}' })}     | ${"not known"}
  ${"a bomb that says what it is"}   | ${lying(2 ** 31)}                                            | ${"more than 64 MiB"}
  ${"a bomb that says that it is 9"} | ${lying(9)}                                                  | ${"longer than it says"}
`("$what is refused", ({ bytes, why }) => {
  const made = readPt2(fileOf("net.pt2", bytes), {});
  expect(made.ok).toBe(false);
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
  expect(made.diagnostics[0]?.message).toContain(why);
});

/** An archive with a program of 4 GiB of blanks, and a stated size. */
function bomb(said: number): Uint8Array {
  const few = deflateRawSync(Buffer.alloc(2 ** 21, " "), { level: 9 });
  const half = few.length >> 1;
  const [begin, end] = [few.subarray(0, half), few.subarray(half)];
  // In the middle of a long repetition every byte encodes equally many blanks.
  const packed = Buffer.concat([begin, Buffer.alloc(2 ** 22, few[half]), end]);
  const whole = zipSync({ "m/models/model.json": new Uint8Array() }, { level: 0 });
  const list = new DataView(whole.buffer).getUint32(whole.length - 6, true);
  const bytes = Buffer.concat([whole.subarray(0, list), packed, whole.subarray(list)]);
  const at = list + packed.length;
  bytes.writeUInt16LE(8, at + 10);
  bytes.writeUInt32LE(packed.length, at + 20);
  bytes.writeUInt32LE(said, at + 24);
  bytes.writeUInt32LE(at, bytes.length - 6);
  return bytes;
}

test.each([9, 2 ** 26])("a bomb of 4 GiB that says that it has %i bytes ends there", (said) => {
  const bytes = bomb(said);
  expect(bytes.length).toBeLessThan(2 ** 23);
  const before = process.cpuUsage();
  const made = readPt2(fileOf("bomb.pt2", bytes), {});
  expect(made.diagnostics.map(({ message }) => message)).toEqual([
    '"bomb.pt2" is not read: its program is longer than it says',
  ]);
  expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
});

test("more than 200,000 operators are refused, and more than 50,000 entries", () => {
  const node = '{"target": "", "inputs": [], "outputs": []}';
  const nodes = Array.from({ length: 200_001 }, () => node).join();
  const graph = `{"nodes": [${nodes}], "tensor_values": {}}`;
  const text = `{"graph_module": {"graph": ${graph}, "signature": {"input_specs": [], "output_specs": []}}}`;
  const many = zip({ "m/models/model.json": text });
  expect(readPt2(fileOf("a.pt2", many), {}).diagnostics[0]?.message).toContain("200,000 operators");
  const wide = readPt2(fileOf("b.pt2", repeated(50_001)), {});
  expect(wide.diagnostics[0]?.message).toContain("50,000 entries");
});

/** An archive that lists one entry `count` times. */
function repeated(count: number): Uint8Array {
  const whole = zip({ a: "" });
  const view = new DataView(whole.buffer, whole.byteOffset);
  const end = whole.length - 22;
  const start = view.getUint32(end + 16, true);
  const record = whole.slice(start, end);
  const bytes = new Uint8Array(start + count * record.length + 22);
  bytes.set(whole.subarray(0, start));
  for (let at = 0; at < count; at += 1) bytes.set(record, start + at * record.length);
  bytes.set(whole.subarray(end), bytes.length - 22);
  new DataView(bytes.buffer).setUint16(bytes.length - 22 + 8, count, true);
  new DataView(bytes.buffer).setUint16(bytes.length - 22 + 10, count, true);
  return bytes;
}

test("an archive with any byte changed is read or refused, and never throws", () => {
  const whole = bytesOf("words");
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
      const bytes = Uint8Array.from(whole);
      bytes[at] = byte;
      const made = readPt2(fileOf("words.pt2", bytes), {});
      expect(made.ok || made.diagnostics[0]?.code === "published/refused").toBe(true);
    }),
    { numRuns: 300, seed: 1 },
  );
});
