import { expect, test } from "vitest";
import { publishedFormatOf } from "./index.ts";

test.each`
  name                              | text                                            | format
  ${"config.json"}                  | ${'{\n  "architectures": [\n    "A"\n  ]'}      | ${"config.json"}
  ${""}                             | ${'\ufeff {"model_type": "llama"'}              | ${"config.json"}
  ${"model.safetensors"}            | ${""}                                           | ${"safetensors"}
  ${"MODEL.SAFETENSORS"}            | ${""}                                           | ${"safetensors"}
  ${"model.safetensors.index.json"} | ${""}                                           | ${"safetensors index"}
  ${""}                             | ${'{"metadata": {}, "weight_map": {"a": "b"}}'} | ${"safetensors index"}
  ${"rank0.pt.trace.json"}          | ${'{"schemaVersion": 1, "traceEvents": ['}      | ${"profile"}
  ${"rank0.pt.trace.json.gz"}       | ${""}                                           | ${"profile"}
  ${""}                             | ${'{"schemaVersion": 1, "deviceProperties": ['} | ${"profile"}
  ${""}                             | ${"{ lambda ; a:f32[2]. let\n"}                 | ${"jaxpr"}
  ${"net.pt2"}                      | ${""}                                           | ${"PyTorch export"}
  ${"net.onnx"}                     | ${""}                                           | ${"ONNX"}
  ${""}                             | ${"module @jit_f attributes {a = 1 : i32} {\n"} | ${"StableHLO"}
  ${""}                             | ${'#loc1 = loc("x")\nmodule @jit_f {\n'}        | ${"StableHLO"}
  ${"step.mlir"}                    | ${"// a comment\n"}                             | ${"StableHLO"}
  ${""}                             | ${"HloModule jit_f, is_scheduled=true\n"}       | ${"compiled HLO"}
  ${"net.py"}                       | ${"#local attention\nx = Tensor((8, 4))\n"}     | ${undefined}
  ${"net.py"}                       | ${"module = Net()\n"}                           | ${undefined}
  ${"graph.json"}                   | ${'{"nodes": [{"id": "a", "model_type": 3}]}'}  | ${undefined}
  ${""}                             | ${""}                                           | ${undefined}
`("$name of $text is $format", ({ name, text, format }) => {
  expect(publishedFormatOf(name, text)?.name).toBe(format);
});
