import { describe, expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { readDocument } from "#systems";

const net = `import torch
from torch import nn
net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8))
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
`;

/** What a text comes to: its operators, its inputs with their shapes, its training and what is said. */
function read(text: string) {
  const { graph, training, diagnostics } = readDocument(text);
  const loss = graph.tensors.find(({ id }) => id === training?.loss);
  const inputs = graph.tensors.filter(({ role }) => role === "input");
  return {
    operators: graph.operators.map(({ op }) => op).join(" "),
    inputs: Object.fromEntries(inputs.map(({ name, shape }) => [name, shape])),
    training: training && `${loss?.name} by ${training.optimizer}`,
    numbers: training?.numbers,
    said: diagnostics.map(({ code }) => code).join(" "),
    errors: diagnostics.filter(({ severity }) => severity === "error"),
  };
}

const forward = "linear relu linear mse_loss";
const data = "x = torch.randn(16, 32)\nt = torch.randn(16, 8)\n";
const step =
  "loss = nn.functional.mse_loss(net(x), t)\nopt.zero_grad()\nloss.backward()\nopt.step()\n";
const inLoop = (head: string, body: string) => `${head}\n${body.replace(/^(?=.)/gmu, "    ")}`;

describe("a text that trains is one training step", () => {
  test.each`
    what                                | text
    ${"once"}                           | ${step}
    ${"in a loop"}                      | ${inLoop("for i in range(1000):", step)}
    ${"in a loop without end"}          | ${`n = 0\n${inLoop("while True:", `${step}n += 1\n`)}`}
    ${"in epochs of a function"}        | ${`def train():\n${inLoop("    for i in range(9):", step).replace(/\n(?=.)/gu, "\n    ")}\nfor epoch in range(90):\n    train()\n`}
    ${"by a closure"}                   | ${`def closure():\n    opt.zero_grad()\n    loss = nn.functional.mse_loss(net(x), t)\n    loss.backward()\n    return loss\nfor i in range(5):\n    opt.step(closure)\n`}
    ${"with scaled gradients"}          | ${`scaler = torch.amp.GradScaler("cuda")\n${inLoop("for i in range(5):", "loss = nn.functional.mse_loss(net(x), t)\nscaler.scale(loss).backward()\nscaler.step(opt)\nscaler.update()\n")}`}
    ${"with a forward pass without it"} | ${`${inLoop("for i in range(5):", step)}with torch.no_grad():\n    print(net(x).mean())\n`}
    ${"with an evaluation before it"}   | ${`@torch.no_grad()\ndef evaluate():\n    for k in range(200):\n        net(x)\n${inLoop("for i in range(5):", `evaluate()\n${step}`)}`}
    ${"of passes that are added up"}    | ${inLoop("for i in range(5):", "for micro in range(8):\n    loss = nn.functional.mse_loss(net(x), t)\n    loss.backward()\nopt.step()\n")}
    ${"of every fourth pass of a loop"} | ${inLoop("for i in range(50):", "loss = nn.functional.mse_loss(net(x), t)\nloss.backward()\nif (i + 1) % 4 == 0:\n    opt.step()\n")}
  `("$what", ({ text }) => {
    const { operators, training, errors } = read(`${net}${data}${text}`);
    expect({ operators, training, errors }).toEqual({
      ...{ operators: forward, training: "loss by adamw", errors: [] },
    });
  });

  test("a further loss, and what is added up, are said", () => {
    const two = `${step}other = net(x).mean()\nother.backward()\nopt.step()\n`;
    expect(read(`${net}${data}${inLoop("for i in range(3):", two)}`).said).toContain(
      "torch/several-losses",
    );
    const micro =
      "for micro in range(8):\n    loss = net(x).mean()\n    loss.backward()\nopt.step()\n";
    expect(read(`${net}${data}${micro}`).said).toContain("torch/one-pass");
  });

  test("without a step of an optimizer the forward pass is drawn, and why", () => {
    const { training, said } = read(`${net}${data}loss = net(x).mean()\nloss.backward()\n`);
    expect({ training, said }).toEqual({ training: undefined, said: "torch/gradients-alone" });
  });

  test("the fix of a pass back without a step trains the loss that is passed back", () => {
    const text = `${net}${data}loss = net(x).mean()\nloss.backward()  # gradients\nprint(loss)\n`;
    const [only] = readDocument(text).diagnostics.filter(({ fixes = [] }) => fixes.length > 0);
    const fixed = applyEdits(text, only?.fixes?.[0]?.edits ?? []);
    expect(fixed).toContain("loss.backward()  # gradients\ntrain(loss)\nprint(loss)\n");
    expect(read(fixed)).toMatchObject({ training: "loss by adam", said: "" });
  });

  test("train() of the text counts before the text's own step", () => {
    const text = `${net}${data}${step}train(loss, optimizer="sgd")\n`;
    expect(read(text).training).toBe("loss by sgd");
  });

  test.each`
    made                                                 | optimizer     | numbers
    ${"AdamW(net.parameters(), 1e-2, weight_decay=0.1)"} | ${"adamw"}    | ${{ lr: 0.01, weight_decay: 0.1 }}
    ${"Adam(net.parameters(), betas=(0.5, 0.9))"}        | ${"adam"}     | ${{ beta1: 0.5, beta2: 0.9 }}
    ${"SGD(net.parameters(), 0.1, 0.9)"}                 | ${"momentum"} | ${{ lr: 0.1, beta1: 0.9 }}
    ${"SGD(net.parameters(), lr=0.1)"}                   | ${"sgd"}      | ${{ lr: 0.1 }}
    ${"RMSprop(net.parameters(), lr=0.1)"}               | ${"sgd"}      | ${{}}
  `("torch.optim.$made updates by $optimizer", ({ made, optimizer, numbers }) => {
    const text = `${net}opt = torch.optim.${made}\n${data}${step}`;
    const found = read(text);
    expect(found).toMatchObject({ training: `loss by ${optimizer}`, numbers });
    expect(found.said.includes("torch/not-modelled")).toBe(made.startsWith("RMSprop"));
  });
});

test.each`
  what                         | lines                                                                                                                                         | isSaid
  ${"all parameters"}          | ${"opt = torch.optim.AdamW(net.parameters())"}                                                                                                | ${false}
  ${"all in groups"}           | ${'opt = torch.optim.AdamW([{"params": net[0].parameters()}, {"params": net[2].parameters(), "lr": 0.1}])'}                                   | ${false}
  ${"all by their names"}      | ${"opt = torch.optim.AdamW(net.named_parameters())"}                                                                                          | ${false}
  ${"what is not known"}       | ${"from elsewhere import chosen\nopt = torch.optim.AdamW(chosen(net))"}                                                                       | ${false}
  ${"those of the last layer"} | ${"opt = torch.optim.AdamW(net[2].parameters())"}                                                                                             | ${true}
  ${"all, of which some rest"} | ${"net[0].weight.requires_grad = False\nopt = torch.optim.AdamW(net.parameters())"}                                                           | ${false}
  ${"those that do not rest"}  | ${"for p in net[0].parameters():\n    p.requires_grad = False\nopt = torch.optim.AdamW(filter(lambda p: p.requires_grad, net.parameters()))"} | ${false}
`("an optimizer of $what", ({ lines, isSaid }) => {
  const { said, training } = read(`${net}${lines}\n${data}${step}`);
  expect(training).toBe("loss by adamw");
  expect(said.includes("torch/not-modelled")).toBe(isSaid);
});

describe("a loader gives one batch", () => {
  const loops = (dataset: string, size = 16) =>
    `${net}from torch.utils.data import DataLoader, Dataset, TensorDataset\n${dataset}\nfor x, t in DataLoader(dataset, batch_size=${size}, shuffle=True):\n${step.replace(/^(?=.)/gmu, "    ")}`;
  const own = `class Samples(Dataset):
    def __init__(self):
        self.x = torch.randn(1000, 32)
        self.t = torch.randn(1000, 8)
    def __len__(self):
        return 1000
    def __getitem__(self, i):
        return self.x[i] * 2, self.t[i]
dataset = Samples()`;

  test.each`
    what                           | dataset
    ${"of tensors"}                | ${"dataset = TensorDataset(torch.randn(1000, 32), torch.randn(1000, 8))"}
    ${"of the text"}               | ${own}
    ${"of lists"}                  | ${"dataset = [(torch.randn(32), torch.randn(8)) for i in range(40)]"}
    ${"of which nothing is known"} | ${'from elsewhere import load\ndataset = load("somewhere")'}
  `("of a data set $what, as inputs", ({ dataset }) => {
    const { operators, inputs, training, errors } = read(loops(dataset));
    expect({ operators, inputs, training, errors }).toEqual({
      ...{ operators: forward, inputs: { x: [16, 32], t: [16, 8] } },
      ...{ training: "loss by adamw", errors: [] },
    });
  });

  test("of which nothing is known by its keys, and rows of tokens join", () => {
    const text = `${net}from elsewhere import load
embed = nn.Embedding(100, 32)
for batch in torch.utils.data.DataLoader(load("somewhere"), batch_size=16):
    ids = batch["input_ids"].to("cuda")
    logits = net(embed(ids))
    loss = nn.functional.cross_entropy(logits.view(-1, 8), batch["labels"].view(-1))
    loss.backward()
    opt.step()
`;
    const { inputs, errors } = read(text);
    expect({ inputs, errors }).toEqual({
      ...{ inputs: { input_ids: [16, 8], labels: [16, 8] }, errors: [] },
    });
  });

  test("of samples of which nothing is known but their number, as rows of tokens", () => {
    const text = `${net}import tiktoken
from torch.utils.data import DataLoader, Dataset
class Samples(Dataset):
    def __init__(self, words):
        ids = tiktoken.get_encoding("gpt2").encode(words)
        self.rows = [torch.tensor(ids[at : at + 4]) for at in range(0, 40, 4)]
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, at):
        return self.rows[at], self.rows[at]
embed = nn.Embedding(100, 32)
for x, t in DataLoader(Samples("a"), batch_size=16):
    rows, tokens = x.shape
    loss = nn.functional.cross_entropy(net(embed(x)).flatten(0, 1), t.flatten())
    loss.backward()
    opt.step()
`;
    const { inputs, errors, said } = read(text);
    expect({ inputs, errors }).toEqual({ inputs: { x: [16, 8], t: [16, 8] }, errors: [] });
    expect(said).not.toMatch(/wrong-dtype|python/u);
  });

  test("images of torchvision have their published sizes, as they are prepared", () => {
    const text = `${net}import torchvision
from torchvision import transforms
way = transforms.Compose([transforms.Resize(40), transforms.RandomCrop(36), transforms.ToTensor()])
dataset = torchvision.datasets.CIFAR10("data", train=True, transform=way)
for image, label in torch.utils.data.DataLoader(dataset, batch_size=128):
    y = torchvision.models.resnet18(num_classes=len(dataset.classes))(image)
    loss = nn.functional.cross_entropy(y, label)
`;
    const { inputs, errors } = read(text);
    expect({ inputs, errors }).toEqual({
      inputs: { image: [128, 3, 36, 36], label: [128] },
      errors: [],
    });
  });
});

describe("samples that a text cuts out of its data itself", () => {
  const model = `import numpy as np
import torch
from torch import nn
net = nn.Sequential(nn.Embedding(64, 16), nn.Linear(16, 64))
opt = torch.optim.AdamW(net.parameters())
`;
  const batch = (row: (from: string) => string) => `def batch():
    ix = torch.randint(len(data) - 32, (12,))
    return torch.stack([${row("i")} for i in ix]), torch.stack([${row("i + 1")} for i in ix])
`;
  const train = `for step in range(100):
    x, y = batch()
    logits = net(x)
    loss = nn.functional.cross_entropy(logits.view(-1, 64), y.view(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
`;

  test.each`
    what                    | data                                                            | row
    ${"a file of numpy"}    | ${'np.memmap("a.bin", dtype=np.uint16)'}                        | ${(i: string) => `torch.from_numpy(data[${i}:${i} + 32].astype(np.int64))`}
    ${"a text"}             | ${'torch.tensor(list(open("a.txt").read()), dtype=torch.long)'} | ${(i: string) => `data[${i}:${i} + 32]`}
    ${"a part of a tensor"} | ${"torch.randint(64, (1000,))[:900]"}                           | ${(i: string) => `data[${i}:${i} + 32]`}
  `("are the batch that they are stacked to: $what", ({ data: made, row }) => {
    const text = `${model}data = ${made}\n${batch(row)}${train}`;
    const { operators, inputs, training, errors } = read(text);
    expect({ operators, inputs, training, errors }).toEqual({
      operators: "embedding linear view view cross_entropy",
      inputs: { x: [12, 32], y: [12, 32] },
      ...{ training: "loss by adamw", errors: [] },
    });
  });

  test("what a trained model then makes, token by token, is left out", () => {
    const text = `${model}data = torch.randint(64, (1000,))\n${batch((i) => `data[${i}:${i} + 32]`)}${train}
ids = torch.zeros((1, 1), dtype=torch.long)
for _ in range(10000):
    ids = torch.cat((ids, net(ids)[:, -1].argmax(-1, keepdim=True)), dim=1)
`;
    expect(read(text)).toMatchObject({
      ...{ operators: "embedding linear view view cross_entropy", errors: [] },
    });
  });
});

test("nothing is said of what follows the step, and plotting packages are silent", () => {
  const text = `import matplotlib.pyplot as plt
${net}${data}
def imshow(image):
    plt.imshow(image.numpy())
imshow(x)
${inLoop("for i in range(3):", step)}right = 0
for k in range(int(net(x).sum())):
    right += (net(x).argmax(1) == k).sum().item()
if right > 3:
    print("good")
`;
  expect(read(text)).toMatchObject({ operators: forward, said: "torch/one-step" });
});

test("a model that the text does not have is named where nothing is drawn", () => {
  const text = `import torch
from transformers import AutoModel
model = AutoModel.from_pretrained("a")
opt = torch.optim.AdamW(model.parameters())
model(**torch.load("a")).loss.backward()
opt.step()
`;
  expect(readDocument(text).diagnostics.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('"model" is what "transformers.AutoModel.from_pretrained" makes'),
  );
});

describe("what starts a script", () => {
  test("of several commands the first is run, which is said", () => {
    const text = `import argparse
import torch
parser = argparse.ArgumentParser()
commands = parser.add_subparsers(title="commands", dest="command")
train = commands.add_parser("train", help="trains")
train.add_argument("--size", type=int, default=24)
other = commands.add_parser("eval")
other.add_argument("--size", type=int, default=7)
args = parser.parse_args()
if args.command is None:
    raise SystemExit(1)
x = torch.randn(args.size, 3)
y = x + 1
`;
    const { inputs, said } = read(text);
    expect({ inputs, said }).toEqual({ inputs: { x: [24, 3] }, said: "document/first-command" });
  });

  test("options have their defaults", () => {
    const text = `import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", "-b", type=int, default=48)
parser.add_argument("--width", default="24", type=int)
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
x = torch.randn(args.batch_size, args.width)
y = x.half() if args.half else x + 1
`;
    const { inputs, operators, said } = read(text);
    expect({ inputs, operators, said }).toEqual({
      inputs: { x: [48, 24] },
      operators: "add",
      said: "",
    });
  });

  test("processes that a text starts are its ranks", () => {
    const text = `${net}import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel as DDP
def run(rank, ranks):
    torch.distributed.init_process_group("nccl", rank=rank, world_size=ranks)
    model = DDP(net)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.randn(20, 32)).mean()
    loss.backward()
    opt.step()
mp.spawn(run, args=(4,), nprocs=4)
`;
    const { mesh, diagnostics } = readDocument(text);
    expect(mesh.mesh.axes).toMatchObject([{ name: "dp", size: 4 }]);
    expect(diagnostics.map(({ code }) => code)).not.toContain("torch/assumed-ranks");
  });
});

test.each([
  ["", true],
  ["net = nn.SyncBatchNorm.convert_sync_batchnorm(net)\n", false],
])("statistics of ranks that are not PyTorch's are said: %j", (line, isSaid) => {
  const text = `import torch
from torch import nn
net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8))
${line}net = nn.parallel.DistributedDataParallel(net)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.randn(8, 3, 16, 16)).mean().backward()
opt.step()
`;
  expect(read(text).said.includes("torch/batch-statistics")).toBe(isSaid);
});

describe("a package that runs the loop for the text", () => {
  const head = `import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 8))
opt = torch.optim.AdamW(net.parameters())
loader = DataLoader(TensorDataset(torch.randn(100, 32), torch.randn(100, 8)), batch_size=16)
`;
  const accelerate = `from accelerate import Accelerator
accelerator = Accelerator()
net, opt, loader = accelerator.prepare(net, opt, loader)
for x, t in loader:
    loss = nn.functional.mse_loss(net(x), t)
    accelerator.backward(loss)
    opt.step()
`;
  const deepspeed = `import deepspeed
engine, _, _, _ = deepspeed.initialize(model=net, optimizer=opt, config="ds.json")
for x, t in loader:
    loss = nn.functional.mse_loss(engine(x), t)
    engine.backward(loss)
    engine.step()
`;
  const lightning = (made: string) => `import lightning as L
class Task(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = net
    def training_step(self, batch, batch_idx):
        x, t = batch
        loss = nn.functional.mse_loss(self.net(x), t)
        self.log("loss", loss)
        return loss
    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters())
        return ${made}
L.Trainer(max_epochs=3).fit(Task(), loader)
`;

  test.each`
    name                         | text
    ${"Accelerate"}              | ${accelerate}
    ${"DeepSpeed"}               | ${deepspeed}
    ${"Lightning"}               | ${lightning("opt")}
    ${"Lightning with a rate"}   | ${lightning('{"optimizer": opt, "lr_scheduler": torch.optim.lr_scheduler.StepLR(opt, 1)}')}
    ${"Lightning with two rows"} | ${lightning("[opt], [torch.optim.lr_scheduler.StepLR(opt, 1)]")}
  `("is one step: $name", ({ text }) => {
    const { operators, inputs, training, errors } = read(`${head}${text}`);
    expect({ operators, inputs, training, errors }).toEqual({
      ...{ operators: forward, inputs: { x: [16, 32], t: [16, 8] } },
      ...{ training: "loss by adamw", errors: [] },
    });
  });

  const trainer = (ways: string, data: string) => `import torch
from torch import nn
from transformers import Trainer, TrainingArguments
class Words(torch.utils.data.Dataset):
    def __len__(self):
        return 100
    def __getitem__(self, i):
        return {"input_ids": torch.zeros(32, dtype=torch.long), "labels": torch.zeros(32, dtype=torch.long)}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(100, 64)
        self.head = nn.Linear(64, 100)
    def forward(self, input_ids, labels=None):
        logits = self.head(self.words(input_ids))
        loss = nn.functional.cross_entropy(logits.view(-1, 100), labels.view(-1))
        return {"loss": loss, "logits": logits}
args = TrainingArguments("out", per_device_train_batch_size=16, num_train_epochs=3${ways})
Trainer(model=Net(), args=args, train_dataset=${data}).train()
`;

  test.each`
    ways                                 | data         | rows  | said
    ${""}                                | ${"Words()"} | ${32} | ${"torch/one-step"}
    ${", gradient_accumulation_steps=4"} | ${"Words()"} | ${32} | ${"torch/one-pass torch/one-step"}
    ${', fsdp="full_shard"'}             | ${"Words()"} | ${32} | ${"torch/not-read torch/one-step"}
    ${""}                                | ${"corpus"}  | ${8}  | ${"document/undefined-name torch/one-step document/assumed-shape"}
  `("is one step of the trainer of transformers: $ways, $data", ({ ways, data, rows, said }) => {
    const found = read(trainer(ways, data));
    expect(found).toMatchObject({
      ...{ operators: "embedding linear view view cross_entropy", training: "loss by adamw" },
      ...{ inputs: { input_ids: [16, rows], labels: [16, rows] }, errors: [], said },
    });
    const low = read(trainer(`${ways}, bf16=True`, data));
    expect(low.operators).toContain("to to to linear");
  });

  test("a trainer of several devices is data parallel, or sharded", () => {
    const on = (strategy: string) =>
      `${head}${lightning("opt").replace("max_epochs=3", `devices=4, strategy="${strategy}"`)}`;
    for (const strategy of ["auto", "ddp", "fsdp"])
      expect(readDocument(on(strategy)).mesh.mesh.axes).toMatchObject([{ name: "dp", size: 4 }]);
  });
});

describe("images that nobody gives", () => {
  const layers = (flat: string) => `import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 32, 3), nn.Conv2d(32, 64, 3)
        self.fc = nn.Linear(9216, 10)
    def forward(self, x):
        x = nn.functional.max_pool2d(self.conv2(self.conv1(x)), 2)
        return self.fc(${flat})
net = Net()
`;

  test.each(["torch.flatten(x, 1)", "x.view(x.size(0), -1)", "x.view(-1, 9216)"])(
    "are as large as the layer behind %s asks",
    (flat) => {
      const { inputs, errors } = read(layers(flat));
      expect({ inputs, errors }).toEqual({ inputs: { x: [8, 1, 28, 28] }, errors: [] });
    },
  );

  test("a window that is larger than its image is refused, of an assumed size warned of", () => {
    const text =
      "import torch\nfrom torch import nn\ny = nn.Conv2d(3, 6, 5)(torch.randn(1, 3, 3, 3))\n";
    expect(readDocument(text).diagnostics).toMatchObject([
      { code: "document/empty-window", severity: "error" },
    ]);
  });

  test.each(["avg_pool1d", "max_pool3d", "avg_pool3d", "lp_pool2d"])(
    "the window of %s too",
    (name) => {
      const sides = Array.from({ length: Number(name.at(-2)) }, () => 3).join(", ");
      const more = name.startsWith("lp") ? "2, 7" : "7";
      const text = `import torch\nimport torch.nn.functional as F\ny = F.${name}(torch.randn(1, 3, ${sides}), ${more})\n`;
      expect(readDocument(text).diagnostics).toMatchObject([
        { code: "document/empty-window", severity: "error" },
      ]);
    },
  );
});

describe("what a text does not say of its run", () => {
  test("epochs that an argument gives are read as one, which is said", () => {
    const text = `import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("epochs", type=int)\nargs = parser.parse_args()\n${net}${data}${inLoop("for epoch in range(args.epochs):", step)}`;
    const found = read(text);
    expect(found).toMatchObject({ operators: forward, training: "loss by adamw", errors: [] });
    expect(found.said).toContain("document/unknown-value");
  });

  test.each`
    what                    | condition
    ${"a missing argument"} | ${'str(args.data).lower() != "fake"'}
    ${"a joined one"}       | ${'", ".join([args.data, "b"]) == "a, b"'}
  `("$what is no fault of the text", ({ condition }) => {
    const text = `import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("--data", required=True)\nargs = parser.parse_args()\nif ${condition}:\n    raise ValueError("no data")\n${net}${data}${step}`;
    expect(read(text)).toMatchObject({ operators: forward, errors: [] });
  });

  test("a model that nobody knows trains one step, however often its loop runs", () => {
    const text = `import torch\nfrom model import GPT\nmodel = GPT()\nopt = model.configure_optimizers()\nn = 0\nwhile n < 600000:\n    for micro in range(40):\n        loss = model(torch.randn(4, 4))\n        loss.backward()\n    opt.step()\n    n += 1\n`;
    const { errors, operators } = read(text);
    expect({ errors, count: operators.split(" ").length }).toEqual({ errors: [], count: 1 });
  });

  test("the devices are GPUs, of which the text may ask", () => {
    const text = `${net}assert torch.cuda.is_available(), "no GPU"
device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
assert device.type == "cuda" and not torch.backends.mps.is_available() and torch.cuda.is_bf16_supported()
${data}${step}`;
    expect(read(text)).toMatchObject({ operators: forward, errors: [], said: "" });
  });

  test("more rows than are gone through one by one are left out, which is said", () => {
    const text = `${net}rows = torch.randn(50000, 32)\nfor row in rows:\n    print(row)\n${data}${step}`;
    const found = read(text);
    expect(found).toMatchObject({ operators: forward, errors: [] });
    expect(found.said).toContain("document/unknown-value");
  });
});

test("a batch of which the rows alone are known has the rank that a layer takes, and channels that it asks for", () => {
  const text = `import torch
from torch import nn
net = nn.Sequential(nn.Conv2d(nc, 4, 4, 2, 1), nn.Conv2d(4, 1, 16))
opt = torch.optim.Adam(net.parameters())
for data in torch.utils.data.DataLoader(dataset, batch_size=16):
    real = data[0].to("cuda")
    label = torch.full((real.size(0),), 1.0)
    loss = nn.functional.binary_cross_entropy(net(real).view(-1), label)
    loss.backward()
    opt.step()
    print("%.4f" % loss.item())
`;
  const { inputs, errors } = read(text);
  expect({ real: inputs.real, errors }).toEqual({ real: [16, 8, 32, 32], errors: [] });
});

test("a layer's weights may be made anew, and a sharded module is known as one", () => {
  const text = `import torch
from torch import nn
from torch.distributed.fsdp import FSDPModule, fully_shard
${net}fully_shard(net)
assert isinstance(net, FSDPModule) and not isinstance(net[0], FSDPModule)
net[0].reset_parameters()
${data}${step}`;
  expect(read(text).errors).toEqual([]);
});

test("pictures that a data set of the text opens are as large as its transforms leave them, with nothing to say", () => {
  const text = `import torch
from torch import nn
from PIL import Image
from torchvision import transforms
class Photos(torch.utils.data.Dataset):
    def __init__(self, files, transform):
        self.files, self.transform = files, transform
    def __len__(self):
        return len(self.files)
    def __getitem__(self, at):
        return self.transform(Image.open(self.files[at]).convert("RGB")), 0
side = transforms.Compose([transforms.Resize((96, 64)), transforms.ToTensor()])
net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2))
opt = torch.optim.Adam(net.parameters())
for x, y in torch.utils.data.DataLoader(Photos(["a", "b"], side), batch_size=16):
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
`;
  const { inputs, said } = read(text);
  expect({ x: inputs.x, said }).toEqual({ x: [16, 3, 96, 64], said: "torch/one-step" });
});

test("what a part of a package asks is said at the call of the text", () => {
  const text =
    "from torchvision import transforms\nfrom settings import side\ncut = transforms.CenterCrop(side)\n";
  const asked = readDocument(text).diagnostics.filter(
    ({ code }) => code === "document/unknown-value",
  );
  const places = asked.map(({ span }) => text.slice(span?.from, span?.to));
  expect(places).toEqual(["transforms.CenterCrop(side)"]);
});

test("a teacher that runs without gradients is drawn with all its layers", () => {
  const text = `${net}class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(32, 32) for _ in range(5)])
        self.head = nn.Linear(32, 8)
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)
teacher = Teacher()
for step in range(100):
    x = torch.randn(16, 32)
    with torch.no_grad():
        t = teacher(x)
    loss = nn.functional.mse_loss(net(x), t)
    loss.backward()
    opt.step()
`;
  const count = read(text)
    .operators.split(" ")
    .filter((each) => each === "linear").length;
  expect(count).toBe(6 + 2);
});

describe("what else a script of a package has", () => {
  test("functions that are awaited", () => {
    const text = `import asyncio
import torch
async def double(x):
    return x * 2
async def main(x):
    parts = await asyncio.gather(double(x), double(x))
    async with asyncio.Lock():
        return [await asyncio.create_task(double(part)) for part in parts]
a, b = asyncio.run(main(torch.randn(4, 4)))
`;
    expect(read(text)).toMatchObject({ operators: "mul mul mul mul", errors: [], said: "" });
  });

  test("options of another parser, and what a function of another file may set on them", () => {
    const text = `import argparse
import torch
import utils
def options():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--size", type=int, default=24)
    return parser
args = argparse.ArgumentParser(parents=[options()]).parse_args()
utils.init_distributed_mode(args)
if args.distributed:
    raise ValueError("not here")
x = torch.randn(args.size, 3)
y = x + 1
`;
    const { inputs, errors } = read(text);
    expect({ inputs, errors }).toEqual({ inputs: { x: [24, 3] }, errors: [] });
    expect(read(text.replace("utils.init_distributed_mode(args)", "")).errors).toMatchObject([
      { code: "python/attribute-error" },
    ]);
  });

  test.each([1, 3])(
    "pictures that it opens have the %i channels that its layers ask for",
    (channels) => {
      const text = `${net}from PIL import Image
from torchvision import transforms
class Pictures(torch.utils.data.Dataset):
    def __init__(self):
        self.way = transforms.Compose([transforms.CenterCrop(64), transforms.ToTensor()])
    def __len__(self):
        return 100
    def __getitem__(self, i):
        return self.way(Image.open("a"))
for x in torch.utils.data.DataLoader(Pictures(), batch_size=16):
    y = nn.Conv2d(${channels}, 4, 3)(x)
`;
      const { inputs, errors } = read(text);
      expect({ inputs, errors }).toEqual({ inputs: { x: [16, channels, 64, 64] }, errors: [] });
    },
  );
});
