import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runAnswer } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "weights-"));
afterAll(() => rmSync(folder, { recursive: true }));

const program = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 4))
w = Parameter((4, 8))
y = matmul(x, w)
strategy(y, m="dp", k="mp")
`;

function fileOf(name: string, shape: readonly number[], numbers: readonly number[]): string {
  const bytes = Buffer.from(Float32Array.from(numbers).buffer);
  const entry = { dtype: "F32", shape, data_offsets: [0, bytes.length] };
  const header = Buffer.from(JSON.stringify({ [name]: entry }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const path = join(folder, `${name}-${shape.join("x")}.safetensors`);
  writeFileSync(path, Buffer.concat([length, header, bytes]));
  return path;
}

const numbers = Array.from({ length: 32 }, (_, at) => at / 8);

test("a run takes the numbers of a file, and says of how many parameters", () => {
  const weights = fileOf("w", [4, 8], numbers);
  const drawn = runAnswer({ program, values: "floats" });
  expect(runAnswer({ program, values: "floats", weights })).toMatchObject({
    ...{ ok: true, equal: true, weights: "1 of 1 parameter", diagnostics: drawn.diagnostics },
  });
  // The file's numbers are fractions, so a run on integers must refuse them.
  const onIntegers = runAnswer({ program, values: "integers", weights });
  expect(onIntegers.diagnostics[0]?.message).toContain('"w" cannot be given the number 0.125');
});

test("a shape that is another one is said, and a file that is none is refused", () => {
  const turned = runAnswer({ program, values: "floats", weights: fileOf("w", [8, 4], numbers) });
  expect(turned).toMatchObject({ ok: true, weights: "0 of 1 parameter" });
  expect(turned.diagnostics.map(({ message }) => message)).toContain(
    '"w" is 8×4 in the file, which is its transpose, and "w" is 4×8 here: it is drawn from the seed',
  );
  const none = join(folder, "none");
  writeFileSync(none, "no weights at all");
  for (const weights of [none, join(folder, "nowhere"), 7]) {
    expect(runAnswer({ program, weights })).toMatchObject({ ok: false });
  }
});
