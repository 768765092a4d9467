import { describe, expect, test } from "vitest";
import { compile } from "./compile.ts";

describe("recurrent layers", () => {
  const head = "import torch\nfrom torch import nn\n";

  test.each`
    layer                                       | input         | shapes
    ${"nn.LSTM(10, 20, 2, bidirectional=True)"} | ${"5, 3, 10"} | ${[[5, 3, 40], [4, 3, 20], [4, 3, 20]]}
    ${"nn.LSTM(10, 20, proj_size=7)"}           | ${"5, 3, 10"} | ${[[5, 3, 7], [1, 3, 7], [1, 3, 20]]}
    ${"nn.LSTM(10, 20, batch_first=True)"}      | ${"3, 5, 10"} | ${[[3, 5, 20], [1, 3, 20], [1, 3, 20]]}
    ${"nn.GRU(10, 20)"}                         | ${"5, 10"}    | ${[[5, 20], [1, 20]]}
    ${"nn.RNN(10, 20, 3, dropout=0.1)"}         | ${"5, 3, 10"} | ${[[5, 3, 20], [3, 3, 20]]}
  `("$layer has the shapes of PyTorch 2.13", ({ layer, input, shapes }) => {
    const isLstm = shapes.length === 3;
    const text = `${head}y, ${isLstm ? "(h, c)" : "h"} = ${layer}(torch.randn(${input}))\n`;
    const { graph } = compile(text);
    const shapeOf = (name: string) => graph.tensors.find((each) => each.name === name)?.shape;
    expect(["y", "h", ...(isLstm ? ["c"] : [])].map(shapeOf)).toEqual(shapes);
  });

  test("are trained, by the products that they are made of", () => {
    const text = `${head}net = nn.LSTM(256, 256, batch_first=True)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
y, _ = net(torch.randn(8, 64, 256))
y.square().mean().backward()
opt.step()
`;
    const { program, diagnostics, cost } = compile(text);
    const trained = program.graph.operators.filter(({ op }) => op === "sgd");
    expect(trained.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["weight_ih_l0.new", "weight_hh_l0.new", "bias_hh_l0.new"]),
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["torch/not-modelled"]);
    // FLOPs of one product. The forward pass has two, over inputs and over states; the backward
    // pass two for each, without the gradient of x.
    const product = 2 * 8 * 64 * 256 * 4 * 256;
    expect(cost.flops).toBe(5 * product);
  });

  test("complex numbers by view pass gradients back", () => {
    const text = `${head}net = nn.Linear(8, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
q = torch.view_as_complex(net(torch.randn(4, 8)).reshape(4, 4, 2))
torch.view_as_real(q * 2).mean().backward()
opt.step()
`;
    const { program, diagnostics } = compile(text);
    expect(program.graph.operators.some(({ name }) => name === "weight.new")).toBe(true);
    expect(diagnostics.filter(({ code }) => code === "training/no-gradient")).toEqual([]);
  });
});
