import { expect, test } from "vitest";
import { readPublished } from "./read-published.ts";

const ask = (name: string, format: string, content: Blob, tell?: (news: unknown) => void) =>
  readPublished({ name, format, content, choice: {} }, tell);

test("a file is read by the reader of its format, with what was chosen", async () => {
  const config = JSON.stringify({
    ...{ model_type: "llama", architectures: ["LlamaForCausalLM"], hidden_size: 64 },
    ...{ intermediate_size: 96, num_hidden_layers: 2, num_attention_heads: 4, vocab_size: 100 },
  });
  const made = await readPublished({
    ...{ name: "config.json", format: "config.json", content: new Blob([config]) },
    choice: { batch: 3 },
  });
  expect(made.ok && made.value.program).toContain("B, S = 3, 4096");
  expect(structuredClone(made)).toEqual(made);
});

test("a long module says how many operators are written", async () => {
  const lines = Array.from(
    { length: 5_000 },
    (_, at) => `    %${at} = stablehlo.abs ${at === 0 ? "%x" : `%${at - 1}`} : tensor<2xf32>`,
  );
  const head = "module @m {\n  func.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n";
  const text = `${head}${lines.join("\n")}\n    return %4999 : tensor<2xf32>\n  }\n}\n`;
  const news: unknown[] = [];
  const made = await ask("m.mlir", "StableHLO", new Blob([text]), (each) => news.push(each));
  expect(made.ok).toBe(true);
  expect(news).toEqual([{ operators: 2000 }, { operators: 4000 }]);
});

test("a header of 2 GiB is refused by its length, and nothing behind it is read", async () => {
  const head = new ArrayBuffer(16);
  new DataView(head).setBigUint64(0, BigInt(2 ** 31), true);
  const made = await ask("net.safetensors", "safetensors", new Blob([head]));
  expect(made.ok).toBe(false);
  expect(made.diagnostics[0]?.message).toContain("a header of 2147483648 bytes");
});

test("a file of more than 256 MiB is refused unread", async () => {
  const content = Object.assign(new Blob([]), {
    arrayBuffer: () => Promise.reject(new Error("it was read")),
  });
  Object.defineProperty(content, "size", { value: 256 * 2 ** 20 + 1 });
  const made = await ask("net.onnx", "ONNX", content);
  expect(made.ok).toBe(false);
  expect(made.diagnostics[0]?.message).toContain("larger than 256 MiB");
});
