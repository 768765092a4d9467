import type { PublishedFormat } from "./format.ts";

/** Every format of published files. To add one: a folder beside this, and its entry here. */
export const publishedFormats: readonly PublishedFormat[] = [
  {
    name: "safetensors",
    isOne: ({ name }) => name.endsWith(".safetensors"),
    load: async () => (await import("./weights/read-weights.ts")).readHeaderBoard,
  },
  {
    name: "safetensors index",
    isOne: ({ name, text }) =>
      name.endsWith(".safetensors.index.json") ||
      (/^[\s\ufeff]*\{/u.test(text) && /"weight_map"\s*:/u.test(text)),
    load: async () => (await import("./weights/read-weights.ts")).readIndex,
  },
  {
    name: "profile",
    isOne: ({ name, text }) =>
      name.endsWith(".json.gz") ||
      (/^[\s\ufeff]*\{/u.test(text) && /"(?:traceEvents|deviceProperties)"\s*:/u.test(text)),
    load: async () => (await import("./profile/read-profile.ts")).readProfile,
  },
  {
    name: "config.json",
    isOne: ({ text }) =>
      /^[\s\ufeff]*\{/u.test(text) &&
      /"(?:model_type"\s*:\s*"|architectures"\s*:\s*\[)/u.test(text),
    load: async () => {
      const [{ readConfig }, { knownFamilies }] = await Promise.all([
        import("./config/read-config.ts"),
        import("#systems/families"),
      ]);
      return (file, choice) => readConfig(file, choice, knownFamilies);
    },
  },
  {
    name: "ONNX",
    isOne: ({ name }) => name.endsWith(".onnx"),
    load: async () => (await import("./onnx/read-onnx.ts")).readOnnx,
  },
  {
    name: "PyTorch export",
    isOne: ({ name }) => name.endsWith(".pt2"),
    load: async () => (await import("./pt2/read-pt2.ts")).readPt2,
  },
  {
    name: "jaxpr",
    isOne: ({ text }) => /^\s*\{\s*lambda\s/u.test(text),
    load: async () => (await import("./jaxpr/read-jaxpr.ts")).readJaxpr,
  },
  {
    name: "compiled HLO",
    isOne: ({ text }) => /^\s*HloModule\b/u.test(text),
    load: async () => (await import("./hlo/read-hlo.ts")).readHlo,
  },
  {
    name: "StableHLO",
    isOne: ({ name, text }) =>
      name.endsWith(".mlir") ||
      /^[\s\ufeff]*(?:#loc\d* = loc\(|module\b[^\n]*\{)/u.test(text) ||
      /^\s*func\.func /mu.test(text),
    load: async () => (await import("./stablehlo/read-stablehlo.ts")).readStablehlo,
  },
];

/**
 * The format of a file, by its name and first characters; `undefined` for files of this program.
 */
export function publishedFormatOf(name: string, text: string): PublishedFormat | undefined {
  return publishedFormats.find(({ isOne }) => isOne({ name: name.toLowerCase(), text }));
}
