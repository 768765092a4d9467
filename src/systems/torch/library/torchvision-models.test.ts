import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** What torchvision 0.29 says of a model, as `engines/record_torchvision_models.py` writes it down. */
interface Row {
  readonly name: string;
  readonly image: number;
  readonly parameters: number;
  readonly digest: string;
  readonly shape: readonly number[];
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/torch/library/torchvision-models.json", "utf8"),
);

function read(lines: string) {
  return readDocument(
    `import torch\nfrom torch import nn\nfrom torchvision import models\n${lines}\n`,
  );
}

/** One of each family: what it answers is read too. The others have more of the same layers. */
const answered =
  /alexnet|tiny|densenet121|_b0|v2_s|googlenet|inception|mnasnet1_0|mobilenet|400mf|resnet(18|50)|resnext50|x1_0|squeezenet|swin_t|vgg11|vit_b_32/;

test.each(rows)("torchvision's $name: its parameters by name, and what it answers", (row) => {
  const isAnswered = answered.test(row.name);
  const image = `torch.rand(2, 3, ${row.image}, ${row.image})`;
  const { diagnostics, graph, modules } = read(`net = models.${row.name}().eval()
${isAnswered ? `y = net(${image})` : ""}${isAnswered && row.name.startsWith("segmentation") ? "['out']" : ""}`);
  const lines = graph.tensors
    .filter(({ role }) => role === "parameter")
    .map(({ name, shape }) => `${name.replaceAll(/\[(\d+)\]/g, ".$1")} ${shape?.join(",")}`);
  const digest = createHash("sha256").update(lines.sort().join("\n")).digest("hex");
  expect({
    parameters: modules.get("net"),
    digest: digest.slice(0, 16),
    said: diagnostics.map(({ message }) => message),
  }).toEqual({ parameters: row.parameters, digest: row.digest, said: [] });
  const shape = graph.tensors.find(({ name }) => name === "y")?.shape;
  expect(shape).toEqual(isAnswered ? row.shape : undefined);
});

test.each`
  what                            | lines                                                                                                                              | parameters
  ${"by its name"}                | ${"net = models.get_model('ResNet50', weights=models.ResNet50_Weights.IMAGENET1K_V2)"}                                             | ${25_557_032}
  ${"out of the module"}          | ${"net = models.__dict__['resnet18'](pretrained=True)"}                                                                            | ${11_689_512}
  ${"with a head of its own"}     | ${"net = models.mobilenet_v2(weights='DEFAULT')\nnet.classifier[1] = nn.Linear(1280, 10)"}                                         | ${2_236_682}
  ${"with a named head"}          | ${"net = models.vit_b_16()\nnet.heads.head = nn.Linear(768, 10)"}                                                                  | ${85_806_346}
  ${"of larger images"}           | ${"net = models.vit_h_14(weights='DEFAULT')"}                                                                                      | ${633_470_440}
  ${"whose weights have no aux"}  | ${"net = models.googlenet(weights=models.GoogLeNet_Weights.DEFAULT)"}                                                              | ${6_624_904}
  ${"of which aux is taken away"} | ${"net = models.inception_v3(weights='DEFAULT')\nnet.aux_logits = False\nnet.AuxLogits = None"}                                    | ${23_834_568}
  ${"cut off"}                    | ${"net = models.vgg16(weights=models.VGG16_Weights.IMAGENET1K_V1).features[:16]"}                                                  | ${1_735_488}
  ${"of blocks by name"}          | ${"net = models.resnet.ResNet(models.resnet.Bottleneck, [1, 1, 1, 1], num_classes=10)"}                                            | ${8_036_426}
  ${"of the hub"}                 | ${"net = torch.hub.load('pytorch/vision:v0.10.0', 'mobilenet_v2', pretrained=True)"}                                               | ${3_504_872}
  ${"of a derived class"}         | ${"class Net(models.ResNet):\n    pass\nnet = Net(models.resnet.BasicBlock, [2, 2, 2, 2], 10)\ny = net(torch.rand(2, 3, 64, 64))"} | ${11_181_642}
`("a model $what has $parameters parameters", ({ lines, parameters }) => {
  const { diagnostics, modules } = read(lines);
  expect({ said: diagnostics, parameters: modules.get("net") }).toEqual({ said: [], parameters });
});

test("the names of models, and what weights say of images and classes", () => {
  const { diagnostics, graph } =
    read(`names = sorted(n for n in models.__dict__ if n.islower() and not n.startswith("__") and callable(models.__dict__[n]))
weights = models.EfficientNet_B3_Weights.DEFAULT
image = weights.transforms()(torch.rand(3, 500, 400))
y = torch.zeros(len(names), len(models.list_models(include="vgg*_bn")), len(weights.meta["categories"]))`);
  const shapeOf = (name: string) => graph.tensors.find((each) => each.name === name)?.shape;
  expect({ image: shapeOf("image"), y: shapeOf("y"), diagnostics }).toEqual({
    ...{ image: [3, 300, 300], y: [80, 4, 1000], diagnostics: [] },
  });
});

test("classes beside weights are refused, as torchvision refuses them", () => {
  const { diagnostics } = read("net = models.resnet18(weights='DEFAULT', num_classes=10)");
  expect(diagnostics.map(({ message }) => message)).toEqual([
    "The parameter 'num_classes' expected value 1000 but got 10 instead.",
  ]);
});

test("layers between are what IntermediateLayerGetter gives, and no more is held", () => {
  const { diagnostics, graph, modules } =
    read(`from torchvision.models._utils import IntermediateLayerGetter
net = IntermediateLayerGetter(models.resnet18(), return_layers={"layer2": "early", "layer3": "late"})
out = net(torch.rand(2, 3, 64, 64))
early, late = out["early"], out["late"]`);
  const shapeOf = (name: string) => graph.tensors.find((each) => each.name === name)?.shape;
  const held = graph.tensors.filter(({ name }) => name.startsWith("fc"));
  expect({ early: shapeOf("early"), late: shapeOf("late"), held, diagnostics }).toEqual({
    ...{ early: [2, 128, 8, 8], late: [2, 256, 4, 4], held: [], diagnostics: [] },
  });
  expect(modules.get("net")).toBe(2_782_784);
});
