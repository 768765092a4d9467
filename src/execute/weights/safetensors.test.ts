import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeNumbers } from "./decode-numbers.ts";
import { headerLength, readHeader } from "./safetensors.ts";

function prefix(length: bigint): ArrayBuffer {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, length, true);
  return bytes.buffer;
}

function messageOf(read: ReturnType<typeof readHeader>): string {
  return read.diagnostics.map(({ message }) => message).join();
}

test("a header has the tensors of a file, each with its place counted from the first byte", () => {
  const header = JSON.stringify({
    __metadata__: { format: "pt" },
    "a.weight": { dtype: "F32", shape: [2, 3], data_offsets: [0, 24] },
    "a.bias": { dtype: "BF16", shape: [], data_offsets: [24, 26] },
  });
  const read = readHeader(header, 100, 126);
  expect(read.ok && read.value).toEqual([
    { name: "a.weight", dtype: "F32", shape: [2, 3], from: 100, to: 124 },
    { name: "a.bias", dtype: "BF16", shape: [], from: 124, to: 126 },
  ]);
});

test.each`
  entry                                                   | why
  ${{ dtype: "F32", shape: [2], data_offsets: [0, 4] }}   | ${"there are 4 bytes, where 2 of F32 are 8"}
  ${{ dtype: "F32", shape: [2], data_offsets: [8, 16] }}  | ${"the place lies beyond the end of the file"}
  ${{ dtype: "F32", shape: [2], data_offsets: [8, 0] }}   | ${"the place lies beyond the end of the file"}
  ${{ dtype: "F32", shape: [-2], data_offsets: [0, 8] }}  | ${"the shape is no list of sizes"}
  ${{ dtype: "F32", shape: [2], data_offsets: [0.5, 8] }} | ${"the place is not two offsets"}
  ${{ shape: [2], data_offsets: [0, 8] }}                 | ${"its header says no type"}
  ${7}                                                    | ${"its header says nothing"}
`("an entry that does not fit the file is refused: $why", ({ entry, why }) => {
  const read = readHeader(JSON.stringify({ w: entry }), 50, 62);
  expect(messageOf(read)).toBe(`the file with weights cannot be read: of "w" ${why}`);
});

test("whatever stands in a file, it is read or refused, and nothing outside of it is named", () => {
  const property = fc.property(fc.json(), fc.nat(1000), (header, fileBytes) => {
    const read = readHeader(header, 8, fileBytes);
    expect(read.ok || messageOf(read).includes("cannot be read")).toBe(true);
    for (const { from, to } of read.ok ? read.value : []) {
      expect(from).toBeGreaterThanOrEqual(8);
      expect(to).toBeLessThanOrEqual(fileBytes);
    }
  });
  fc.assert(property, { seed: 1, numRuns: process.env.SOAK ? 5000 : 300 });
});

test("a header that is longer than its file, or no prefix at all, is refused", () => {
  expect(headerLength(prefix(20n), 28)).toMatchObject({ ok: true, value: 20 });
  expect(headerLength(prefix(21n), 28)).toMatchObject({
    ok: false,
    diagnostics: [{ code: "execute/no-safetensors" }],
  });
  expect(headerLength(prefix(2n ** 63n), 28).ok).toBe(false);
  expect(headerLength(new ArrayBuffer(3), 3).ok).toBe(false);
});

test("singles, brains and integers come out as they went in", () => {
  const single = fc.float({ noNaN: true });
  fc.assert(
    fc.property(fc.array(single), fc.array(fc.maxSafeInteger()), (floats, integers) => {
      expect([...decodeNumbers(Float32Array.from(floats).buffer, "F32")]).toEqual(floats);
      const bytes = BigInt64Array.from(integers, BigInt).buffer;
      expect([...decodeNumbers(bytes, "I64")]).toEqual(integers.map((each) => each + 0));
      const uppers = Uint32Array.from(
        new Uint32Array(Float32Array.from(floats).buffer),
        (each) => each >>> 16,
      );
      const brains = [...decodeNumbers(Uint16Array.from(uppers).buffer, "BF16")];
      const wanted = [...new Float32Array(Uint32Array.from(uppers, (each) => each << 16).buffer)];
      expect(brains).toEqual(wanted);
    }),
    { seed: 1 },
  );
});

test.each`
  bits      | number
  ${0x0000} | ${0}
  ${0x3c00} | ${1}
  ${0xc000} | ${-2}
  ${0x3555} | ${0.333251953125}
  ${0x7bff} | ${65504}
  ${0x0001} | ${2 ** -24}
  ${0x0400} | ${2 ** -14}
  ${0xfc00} | ${Number.NEGATIVE_INFINITY}
  ${0x7e00} | ${Number.NaN}
`("the half of bits $bits is $number", ({ bits, number }) => {
  expect(decodeNumbers(Uint16Array.of(bits).buffer, "F16")[0]).toBe(number);
});
