import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { answerTo, plainAnswer } from "#cli";

const folder = mkdtempSync(join(tmpdir(), "published-"));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** A safetensors header after its length, without the numbers. */
function safetensors(header: string, length = header.length): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(length));
  return Buffer.concat([prefix, Buffer.from(header)]);
}

const config = JSON.stringify({
  ...{ model_type: "llama", hidden_size: 64, intermediate_size: 96, num_hidden_layers: 2 },
  ...{ num_attention_heads: 4, vocab_size: 100, rope_scaling: { factor: 8 } },
});

test("every command takes a published text in place of a program, and places count in that", () => {
  const args = { program: config, sequence: 8, training: true };
  const answer = plainAnswer(answerTo("check", args), args);
  expect(answer).toMatchObject({
    ok: true,
    diagnostics: [{ code: "published/not-modelled", line: 1 }],
  });
  const read = answerTo("read", args);
  expect(answerTo("plan", args).memory).toEqual(answerTo("plan", { program: read.program }).memory);
  const cut = { ...args, outputs: 7 };
  expect(answerTo("plan", cut)).toMatchObject({ ok: false });
});

test("a file is read by its path, of weights the header alone", () => {
  const header = JSON.stringify({
    "model.a.weight": { dtype: "F32", shape: [2, 3], data_offsets: [0, 24] },
  });
  const file = written("net.safetensors", Buffer.concat([safetensors(header), Buffer.alloc(24)]));
  expect(answerTo("read", { file })).toMatchObject({ ok: true, parameters: 6, published: 6 });
  const program = "a = Parameter((2, 3))\nb = Parameter((2,))\n";
  expect(answerTo("check", { program, weights: file })).toMatchObject({
    weights: "1 of 2 parameters",
    diagnostics: [{ code: "execute/weights-apart", message: '"net.safetensors" has no "b"' }],
  });
});

test.each`
  what                          | bytes
  ${"a length of 2 GiB"}        | ${safetensors("{}", 2 ** 31)}
  ${"a length beyond the end"}  | ${safetensors("{}", 3)}
  ${"a header that is no JSON"} | ${safetensors("no")}
  ${"no prefix"}                | ${Buffer.from("no")}
  ${"nothing"}                  | ${Buffer.alloc(0)}
`("a hostile file of weights is refused: $what", ({ bytes }) => {
  const answer = answerTo("read", { file: written("net.safetensors", bytes) });
  expect(answer.ok).toBe(false);
  expect(answer.diagnostics.map(({ code }) => code)).toEqual(["execute/no-safetensors"]);
});

test.each`
  args                                     | message
  ${{ file: "/nowhere/config.json" }}      | ${"cannot read the file"}
  ${{ program: "x = 1\n" }}                | ${"must be a published file"}
  ${{ program: config, batch: 0 }}         | ${'"batch" must be a whole number from 1 on'}
  ${{ program: config, sequence: "many" }} | ${'"sequence" must be a whole number from 1 on'}
  ${{ program: config, training: "yes" }}  | ${'"training" must be true or false'}
`("a request that is none is answered: $message", ({ args, message }) => {
  const answer = answerTo("read", args);
  expect(answer.ok).toBe(false);
  expect(answer.diagnostics.map((each) => each.message).join()).toContain(message);
});

test("an index alone is told from a program", () => {
  const index = JSON.stringify({ weight_map: { a: "x" } });
  expect(answerTo("read", { program: index })).toMatchObject({
    ok: true,
    format: "safetensors index",
  });
  expect(answerTo("plan", { program: index })).toMatchObject({ ok: false });
});

test("a collective that is ours alone is named as that beside what XLA made", () => {
  const program = `mesh = Mesh(data=2, model=4)
x = Tensor((8, 8))
w = Parameter((8, 8))
y = x @ w
strategy(y, k="model")
`;
  const hloText =
    "HloModule m, num_partitions=8\n\nENTRY %main (p: f32[8,8]) -> f32[8,8] {\n  ROOT %p = f32[8,8]{1,0} parameter(0)\n}\n";
  expect(answerTo("xla", { program, hloText })).toMatchObject({
    ok: true,
    onlyOurs: [
      {
        ...{ collective: "all-reduce", tensor: "y", phase: "forward", devices: 4, bytes: 384 },
        difference: "only ours: XLA has no such all-reduce",
      },
    ],
  });
});

test("the batch of a published model is shared out by calls on its own modules", () => {
  const { program } = answerTo("read", { program: config, batch: 8, sequence: 16 });
  const text = String(program).replace("dp=8, tp=8", "dp=8");
  const shared = `${text}place(input_ids, layout("dp", None))\n`;
  const { ok, files, diagnostics } = answerTo("export", { program: shared, to: "parallelize" });
  expect({ ok, diagnostics }).toEqual({ ok: true, diagnostics: [] });
  expect(JSON.stringify(files)).toContain("for layer in model.model.layers");
});
