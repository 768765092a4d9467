import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { emittedProgram } from "../emitted/emitted.ts";

// Training scripts in the style of MindSpore's users.

const head = `import numpy as np
import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.first = nn.Dense(784, 64)
        self.relu = nn.ReLU()
        self.last = nn.Dense(64, 10)
    def construct(self, x):
        return self.last(self.relu(self.first(self.flatten(x))))

net = Net()
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.Adam(net.trainable_params())
x = Tensor(np.ones((32, 1, 28, 28)), ms.float32)
label = Tensor(np.ones((32,)), ms.int32)
`;

/** The training step of a text in short form, with its warnings and notes. */
function trained(lines: string) {
  const { graph, training, diagnostics } = readDocument(head + lines);
  return {
    operators: graph.operators.length,
    loss: graph.tensors.find(({ id }) => id === training?.loss)?.shape,
    optimizer: training?.optimizer,
    microbatches: training?.microbatches,
    recompute: training?.recompute.size,
    errors: diagnostics.filter(({ severity }) => severity === "error"),
    codes: diagnostics.map(({ code }) => code),
    messages: diagnostics.map(({ message }) => message),
  };
}

const forward = `def forward_fn(data, target):
    logits = net(data)
    return loss_fn(logits, target), logits
`;

const step = { operators: 34, loss: [], optimizer: "adam", microbatches: 1, errors: [], codes: [] };

test.each`
  name                              | lines
  ${"value_and_grad"}               | ${`${forward}(loss, _), grads = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)(x, label)\noptimizer(grads)`}
  ${"grad"}                         | ${`${forward}grads = ms.grad(forward_fn, None, net.trainable_params(), has_aux=True)(x, label)\noptimizer(grads)`}
  ${"GradOperation"}                | ${`one = nn.WithLossCell(net, loss_fn)\noptimizer(ops.GradOperation(get_by_list=True)(one, ParameterTuple(net.trainable_params()))(x, label))`}
  ${"a net that is run before too"} | ${`one = nn.WithLossCell(net, loss_fn)\nloss = one(x, label)\noptimizer(ops.GradOperation(get_by_list=True)(one)(x, label))`}
  ${"ForwardValueAndGrad"}          | ${`one = nn.ForwardValueAndGrad(nn.WithLossCell(net, loss_fn), weights=optimizer.parameters, get_by_list=True)\nloss, grads = one(x, label)\noptimizer(grads)`}
  ${"TrainOneStepCell"}             | ${"loss = nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), optimizer)(x, label)"}
  ${"its step of microbatches"}     | ${"from mindspore.nn.wrap.cell_wrapper import _TrainGradAccuStepCell\nloss = _TrainGradAccuStepCell(nn.WithLossCell(net, loss_fn), optimizer)(x, label)"}
  ${"a step of the text's own"}     | ${`class Step(nn.TrainOneStepCell):\n    def construct(self, data, label):\n        loss = self.network(data, label)\n        sens = ops.OnesLike()(loss)\n        grads = self.grad(self.network, self.weights)(data, label, sens)\n        return ops.depend(loss, self.optimizer(self.grad_reducer(grads)))\nStep(nn.WithLossCell(net, loss_fn), optimizer)(x, label)`}
`("$name becomes a training step of the net inside", ({ lines }) => {
  expect(trained(lines)).toMatchObject(step);
});

const set = `data = ds.MnistDataset("path")
data = data.map([ds.vision.Rescale(1 / 255, 0), ds.vision.HWC2CHW()], "image")
data = data.map(ds.transforms.TypeCast(ms.int32), "label").batch(32)
`;

test("a loop over a data set draws one batch of the shapes that its class gives", () => {
  const lines = `${set}${forward}grad_fn = ms.value_and_grad(forward_fn, None, net.trainable_params(), has_aux=True)
for epoch in range(10):
    for image, label in data:
        (loss, _), grads = grad_fn(image, label)
        optimizer(grads)
`;
  const { codes, messages, ...rest } = trained(lines);
  expect(rest).toMatchObject({ operators: 34, optimizer: "adam", errors: [] });
  expect(codes).toEqual(["mindspore/one-batch"]);
  expect(messages[0]).toContain("image (32, 1, 28, 28), label (32)");
});

test("Model trains the net on the data set that it is given", () => {
  const lines = `${set}model = ms.Model(net, loss_fn, optimizer)\nmodel.train(10, data)`;
  expect(trained(lines)).toMatchObject({ operators: 34, optimizer: "adam", errors: [] });
});

test("Model trains on batches that a class of the text makes", () => {
  const lines = `class Batches:
    def __iter__(self):
        return self
    def __next__(self):
        return x, label
ms.Model(nn.WithLossCell(net, loss_fn), optimizer=optimizer).train(1, Batches())`;
  expect(trained(lines)).toMatchObject(step);
});

test("of a loop that trains one step is drawn, which is said", () => {
  const lines = `${forward}for _ in range(3):
    _, grads = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)(x, label)
    optimizer(grads)`;
  const { codes, ...rest } = trained(lines);
  expect(rest).toMatchObject({ operators: 34, optimizer: "adam", errors: [] });
  expect(codes).toEqual(["mindspore/one-step"]);
});

test("gradients that no optimizer reads are drawn with plain descent, which is said", () => {
  const lines =
    "grads = ops.GradOperation(get_by_list=True)(nn.WithLossCell(net, loss_fn))(x, label)";
  expect(trained(lines)).toMatchObject({ optimizer: "sgd", codes: ["mindspore/no-optimizer"] });
});

test("of gradients of inputs the forward pass is drawn, which is said", () => {
  const { optimizer, codes, messages } = trained("dx = ops.GradOperation()(net)(x)");
  expect([optimizer, codes]).toEqual([undefined, ["mindspore/not-modelled"]]);
  expect(messages[0]).toMatch(/^not modelled: the gradient of what a net is called with/);
});

test.each`
  words                                             | microbatches | said
  ${"nn.PipelineCell(one, 4)"}                      | ${4}         | ${[]}
  ${"ms.parallel.nn.GradAccumulation(one, 4)"}      | ${4}         | ${[]}
  ${"ms.parallel.nn.MicroBatchInterleaved(one, 2)"} | ${1}         | ${[]}
`("$words: $microbatches microbatches", ({ words, microbatches, said }) => {
  const lines = `one = nn.WithLossCell(net, loss_fn)\nnn.TrainOneStepCell(${words}, optimizer)(x, label)`;
  expect(trained(lines)).toMatchObject({ microbatches, errors: [], codes: said });
});

test("a cell and a primitive that are computed again are so in the step", () => {
  const one = "nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), optimizer)(x, label)";
  expect(trained(one).recompute).toBe(0);
  expect(trained(`net.first.matmul.recompute()\n${one}`).recompute).toBe(1);
  expect(trained(`net.recompute()\n${one}`).recompute).toBeGreaterThan(2);
});

test("the sparse gradient of a table is named once", () => {
  const lines = `class Rows(nn.Cell):
    def __init__(self):
        super().__init__()
        self.rows = nn.EmbeddingLookup(16, 8)
    def construct(self, ids):
        return self.rows(ids).sum()
rows = Rows()
nn.TrainOneStepCell(rows, nn.Adam(rows.trainable_params()))(Tensor(shape=(4, 4), dtype=ms.int32))`;
  const sparse = trained(lines).messages.filter((each) => each.includes("sparse gradient"));
  expect(sparse).toEqual([expect.stringMatching(/^not modelled: .* EmbeddingLookup reads/u)]);
});

test("what is left out of a step is named once", () => {
  const lines = `lamb = nn.Lamb(net.trainable_params())
nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), lamb)(x, label)`;
  expect(trained(lines).messages).toEqual([
    "not modelled: Lamb: the update is drawn as plain descent",
  ]);
  const part = `first = ParameterTuple([net.last.weight])
optimizer(ops.GradOperation(get_by_list=True)(nn.WithLossCell(net, loss_fn), first)(x, label))`;
  expect(trained(part).messages).toEqual([
    "not modelled: gradients of 1 of 4 parameters alone: the step is drawn with all of them",
  ]);
});

test("the gradient of a parameter that the text computes with is an input of its shape", () => {
  const lines = `grads = ops.GradOperation(get_by_list=True)(nn.WithLossCell(net, loss_fn))(x, label)
size = ops.ReLU()(grads[0])`;
  expect(trained(lines).codes).toContain("document/gradient-as-input");
});

test.each`
  loss                          | operators
  ${"nn.MSELoss()"}             | ${["sub", "Square", "ReduceMean"]}
  ${"nn.L1Loss('sum')"}         | ${["sub", "Abs", "ReduceSum"]}
  ${"nn.MSELoss('none')"}       | ${["sub", "Square"]}
  ${"nn.CrossEntropyLoss()"}    | ${["cross_entropy"]}
  ${"nn.loss.LossBase('mean')"} | ${[]}
`("$loss runs $operators", ({ loss, operators }) => {
  const call = loss.includes("LossBase") ? "" : "l(Tensor((8, 4)), Tensor((8, 4)))";
  const { graph, diagnostics } = readDocument(
    `import mindspore as ms\nfrom mindspore import nn, Tensor\nl = ${loss}\n${call}`,
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(graph.operators.map(({ op }) => op)).toEqual(operators);
});

test("a step whose loss nobody knows is not drawn, which is no fault of the text", () => {
  const lines = `from elsewhere import criterion
optimizer(ops.GradOperation(get_by_list=True)(nn.WithLossCell(net, criterion))(x[0:1, :, :, :5], label))`;
  expect(trained(lines).errors.map(({ code }) => code)).not.toContain("document/no-such-tensor");
});

test("a cell that hands parameters around is called, and it is said that this is not drawn", () => {
  const { errors, codes } = trained(`from mindspore.nn.wrap.cell_wrapper import _BroadCastCell
y = net(x)
_BroadCastCell(net.trainable_params())()
`);
  expect(errors).toEqual([]);
  expect(codes).toEqual(["mindspore/not-modelled"]);
});

test("micro-batches of a pipeline that all devices do not divide are one batch, which is said", () => {
  const text = (stages: string) => `import numpy as np
import mindspore as ms
from mindspore import nn, ops, Tensor
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8${stages}, dataset_strategy="full_batch")
parts = nn.SequentialCell(nn.Dense(16, 16), nn.Dense(16, 16))
parts[0].pipeline_stage = 0
parts[1].pipeline_stage = 1
net = nn.PipelineCell(nn.WithLossCell(parts, nn.MSELoss()), 4)
step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
step(Tensor(np.ones([16, 16]), ms.float32), Tensor(np.ones([16, 16]), ms.float32))
`;
  const staged = readDocument(text(", pipeline_stages=2"));
  expect(staged.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const said = staged.diagnostics.map(({ message }) => message).join();
  expect(said).toContain("not modelled: the 4 micro-batches of a pipeline");
  expect(staged.trace.training[0]?.microbatches).toBe(1);
  expect(readDocument(text("")).trace.training[0]?.microbatches).toBe(4);
});

/** A net of two products that is split over 8 devices, followed by further lines. */
const splitNet = (lines: string, w = "") => `import numpy as np
import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.v = Parameter(Tensor(np.ones([16, 16]), ms.float32), name="v"${w})
        self.w = Parameter(Tensor(np.ones([16, 32]), ms.float32), name="w")
        self.first = ops.MatMul().shard(((8, 1), (1, 1)))
        self.matmul = ops.MatMul().shard(((2, 1), (1, 4)))
    def construct(self, x):
        return self.matmul(self.first(x, self.v), self.w)
net = Net()
x = Tensor(np.ones([64, 16]), ms.float32)
y = Tensor(np.ones([64, 32]), ms.float32)
one = nn.WithLossCell(net, nn.MSELoss())
class Step(nn.Cell):
    def __init__(self, **options):
        super().__init__()
        self.weights = ParameterTuple(one.trainable_params())
        self.by_list = options.get("get_by_list", False)
        self.grad = ops.GradOperation(**options)
    def construct(self, x, y):
        if self.by_list:
            return self.grad(one, self.weights)(x, y)
        return self.grad(one)(x, y)
${lines}
`;

const momentum = "nn.Momentum(net.trainable_params(), 0.1, 0.9)";

test.each([
  "one(x, y)",
  `nn.TrainOneStepCell(one, ${momentum})(x, y)`,
  `ms.Model(net, nn.MSELoss(), ${momentum}).train(1, [(x, y)])`,
])("%s is one graph, in which the net's result is sent to the loss", (lines) => {
  const read = readDocument(splitNet(lines));
  const { collectives } = emittedProgram(read, read.mesh.mesh, 0);
  // Collectives as MindSpore 2.10 compiles them.
  expect(collectives.map(({ op, ranks }) => `${op} ${ranks.join()}`).toSorted()).toEqual([
    "AllGather 0,1,2,3",
    "AllGather 0,1,2,3",
    "AllReduce 0,1,2,3,4,5,6,7",
  ]);
});

test("what nothing reads of a step's loss is none of its graph", () => {
  const loss = `nn.WithLossCell(net, nn.CrossEntropyLoss(reduction="sum"))`;
  const lines = `nn.TrainOneStepCell(${loss}, ${momentum})(x, Tensor(np.ones([64]), ms.int32))`;
  const read = readDocument(splitNet(lines));
  const { operators } = emittedProgram(read, read.mesh.mesh, 0);
  expect(operators.filter(({ op }) => op === "MaskedFill").length).toBe(3);
});

test.each`
  off                                           | trained
  ${""}                                         | ${["v", "w"]}
  ${", requires_grad=False"}                    | ${["w"]}
  ${")\n        self.v.requires_grad = bool(0"} | ${["w"]}
`('of a parameter with "$off" $trained are trained', ({ off, trained }) => {
  const { graph, diagnostics } = readDocument(
    splitNet(`nn.TrainOneStepCell(one, ${momentum})(x, y)`, off),
  );
  expect(diagnostics.filter(({ message }) => /parameters alone/u.test(message))).toEqual([]);
  const isFrozen = ({ isFrozen: off = false }) => off;
  const names = graph.tensors.filter((each) => each.role === "parameter" && !isFrozen(each));
  expect(names.map(({ name }) => name.split(".").at(-1))).toEqual(trained);
});

test.each`
  lines                                            | said
  ${`nn.TrainOneStepCell(one, ${momentum})(x, y)`} | ${[]}
  ${"Step(get_by_list=True)(x, y)"}                | ${[/without the value/u]}
  ${"one(x, y)\nStep(get_by_list=True)(x, y)"}     | ${[/without the value/u]}
  ${"Step()(x, y)"}                                | ${[/the gradient of what a net is called with/u]}
`("$lines says what is not drawn as MindSpore has it, and is not refused", ({ lines, said }) => {
  const { diagnostics } = readDocument(splitNet(lines));
  const found = diagnostics.filter(({ severity }) => severity !== "info");
  expect(found.map(({ message }) => message)).toEqual(
    said.map((each: RegExp) => expect.stringMatching(each)),
  );
});
