import { expect, test } from "vitest";
import { readDocument } from "#systems";

const net = `import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(depth)])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
`;

function read(text: string) {
  const { diagnostics, graph } = readDocument(text);
  const weights = graph.tensors.filter(({ role }) => role === "parameter");
  return {
    said: diagnostics.flatMap(({ severity, message }) => (severity === "info" ? [] : [message])),
    parameters: weights.map(({ shape }) => shape?.join("x")),
  };
}

const main = (decorator: string) => `${decorator}
def main(cfg):
    net = Net(cfg.model.width, cfg.model.depth)
    y = net(torch.randn(cfg.batch, cfg.model.width))

if __name__ == "__main__":
    main()
`;

test("a configuration that hydra reads from a file is unknown by the file's name", () => {
  const text = `import hydra
${net}
${main('@hydra.main(version_base=None, config_path="conf", config_name="train")')}`;
  expect(read(text).said).toEqual([
    'a count depends on "conf/train.yaml: cfg.model.depth", which is not known here',
  ]);
});

test("one that the text stores is known", () => {
  const text = `from dataclasses import dataclass, field
import hydra
from hydra.core.config_store import ConfigStore
${net}
@dataclass
class Model:
    width: int = 6
    depth: int = 2

@dataclass
class Config:
    model: Model = field(default_factory=Model)
    batch: int = 4

ConfigStore.instance().store(name="train", node=Config)
${main('@hydra.main(version_base=None, config_name="train")')}`;
  expect(read(text)).toEqual({ said: [], parameters: ["6x6", "6", "6x6", "6"] });
});

test("OmegaConf holds what the text gives it, and a file of it is unknown", () => {
  const text = (made: string) => `from omegaconf import OmegaConf
${net}
cfg = OmegaConf.merge(OmegaConf.create({"model": {"width": 6, "depth": 1}, "batch": 4}), ${made})
net = Net(cfg.model.width, cfg.model.depth)
y = net(torch.randn(cfg.batch, cfg["model"]["width"]))
`;
  expect(read(text("OmegaConf.from_cli()")).parameters).toEqual(["6x6", "6"]);
  expect(read(text('{"model": {"depth": 2}}')).parameters).toEqual(["6x6", "6", "6x6", "6"]);
  expect(read(text('OmegaConf.load("a.yaml")')).said).toEqual([
    'a count depends on "a.yaml.model.depth", which is not known here',
  ]);
});
