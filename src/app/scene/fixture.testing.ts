import type { Compiled } from "#compile";
import { assumedHardware } from "#core/cost/machines";
import { type Graph, type Operator, operatorId, type Tensor, tensorId } from "#core/ir";
import type { DeviceMesh, Layout, Part } from "#core/mesh";
import { type CollectiveStep, type SpmdProgram, type Value, valueId } from "#core/program";

/** The program text of the two-matmuls example; the spans below refer to it. */
const source = `# Two matrix products on four devices: dp cuts the batch, mp cuts the hidden layer.
mesh = Mesh(dp=2, mp=2)

# annotation: b k+, k+ f -> b f
def project(x, w):
    return torch.matmul(x, w)

x = Tensor((512, 1024), "bf16")
w1 = Parameter((1024, 4096), "bf16")
w2 = Parameter((4096, 1024), "bf16")

h = project(x, w1)
y = project(h, w2)

strategy(h, b="dp", f="mp")
strategy(y, b="dp")
`;

const mesh: DeviceMesh = {
  axes: [
    { name: "dp", size: 2 },
    { name: "mp", size: 2 },
  ],
  devices: [0, 1, 2, 3],
};

const dp: Part = { kind: "axis", axis: "dp", before: 1, size: 2 };
const mp: Part = { kind: "axis", axis: "mp", before: 1, size: 2 };

function layoutOf(...dims: readonly (readonly Part[])[]): Layout {
  return { mesh, dims: dims.map((parts) => ({ parts, chunks: "flat" })), partials: [] };
}

function spanOf(text: string): { readonly from: number; readonly to: number } {
  const from = source.indexOf(text);
  return { from, to: from + text.length };
}

function tensor(
  name: string,
  shape: readonly number[],
  role: Tensor["role"],
  dimNames: readonly string[],
): Tensor {
  return {
    id: tensorId(name),
    name,
    shape,
    dtype: "bf16",
    dtypeText: "bf16",
    role,
    dimNames,
    shapeStatus: role === "activation" ? "inferred" : "set",
    ...(role === "activation" ? { producer: operatorId(name) } : {}),
    span: spanOf(`${name} =`),
  };
}

function identifier(text: string) {
  const isSummed = text.endsWith("+");
  const name = isSummed ? text.slice(0, -1) : text;
  const span = { from: 0, to: 0 };
  const reduction = isSummed ? ("+" as const) : ("" as const);
  return { identifiers: [{ name, kind: "name" as const, reduction, span }], span };
}

function shapeAnno(text: string) {
  return {
    dims: text.split(" ").map(identifier),
    ignored: false,
    span: { from: 0, to: 0 },
  };
}

function operand(name: string, ...identifiers: readonly string[]) {
  return {
    tensor: tensorId(name),
    dims: identifiers.map((id) => ({ identifiers: [id], splittable: id })),
  };
}

function project(name: string, from: string, weight: string, k: number, f: number): Operator {
  return {
    id: operatorId(name),
    name,
    op: "project",
    attributes: {},
    call: `project(${from}, ${weight})`,
    annotation: {
      inputs: [shapeAnno("b k+"), shapeAnno("k+ f")],
      outputs: [shapeAnno("b f")],
    },
    axes: [
      { name: "b", size: 512, reduction: "" },
      { name: "k", size: k, reduction: "+" },
      { name: "f", size: f, reduction: "" },
    ],
    inputs: [operand(from, "b", "k"), operand(weight, "k", "f")],
    outputs: [operand(name, "b", "f")],
    linear: [[0], [1]],
    reducesInside: false,
    span: spanOf(`${name} = project`),
  };
}

const graph: Graph = {
  tensors: [
    tensor("x", [512, 1024], "input", ["b", "k"]),
    tensor("w1", [1024, 4096], "parameter", ["k", "f"]),
    tensor("w2", [4096, 1024], "parameter", ["k", "f"]),
    tensor("h", [512, 4096], "activation", ["b", "f"]),
    tensor("y", [512, 1024], "activation", ["b", "f"]),
  ],
  operators: [project("h", "x", "w1", 1024, 4096), project("y", "h", "w2", 4096, 1024)],
  outputs: [tensorId("y")],
};

const layouts: Readonly<Record<string, Layout>> = {
  x: layoutOf([dp], []),
  w1: layoutOf([], [mp]),
  h: layoutOf([dp], [mp]),
  "h.1": layoutOf([dp], []),
  w2: layoutOf([], []),
  y: layoutOf([dp], []),
};

function value(id: string, role: Value["role"]): Value {
  const layout = layouts[id] ?? layoutOf([], []);
  return { id: valueId(id), tensor: tensorId(id.replace(".1", "")), dtype: "bf16", role, layout };
}

const elements = 256 * 2048;
const bytes = elements * 2;
const seconds = 5e-6 + 3e-6 + bytes / 300e9;
const reasons = [{ kind: "operand", operator: operatorId("y"), operand: 0 }] as const;

const gather: CollectiveStep = {
  kind: "collective",
  collective: "all-gather",
  phase: "forward",
  input: valueId("h"),
  output: valueId("h.1"),
  moves: [{ part: mp, from: { dim: 1, position: 0 } }],
  axes: ["mp"],
  groups: [
    [0, 1],
    [2, 3],
  ],
  reasons,
  elements,
  bytes,
  seconds,
  reshard: 0,
};

const program: SpmdProgram = {
  devices: mesh.devices,
  graph,
  values: [
    value("x", "input"),
    value("w1", "parameter"),
    value("h", "activation"),
    value("h.1", "activation"),
    value("w2", "parameter"),
    value("y", "activation"),
  ],
  stages: [
    {
      devices: mesh.devices,
      steps: [
        {
          kind: "local",
          operator: operatorId("h"),
          phase: "forward",
          strategy: { cuts: { b: [dp], f: [mp] }, carry: [] },
          inputs: [valueId("x"), valueId("w1")],
          outputs: [valueId("h")],
        },
        gather,
        {
          kind: "local",
          operator: operatorId("y"),
          phase: "forward",
          strategy: { cuts: { b: [dp] }, carry: [] },
          inputs: [valueId("h.1"), valueId("w2")],
          outputs: [valueId("y")],
        },
      ],
    },
  ],
  redistributions: [
    {
      index: 0,
      tensor: tensorId("h"),
      input: valueId("h"),
      output: valueId("h.1"),
      reasons,
      elements,
      bytes,
      seconds,
      lowerBound: elements,
    },
  ],
  outputs: [valueId("y")],
  made: new Map(["x", "w1", "w2", "h", "y"].map((id) => [tensorId(id), valueId(id)])),
};

const flopsPerSecond = 312e12 * 0.7;
const operatorSeconds = [
  { operator: operatorId("h"), seconds: (2 * 256 * 1024 * 2048) / flopsPerSecond },
  { operator: operatorId("y"), seconds: (2 * 256 * 4096 * 1024) / flopsPerSecond },
];
const computeSeconds = operatorSeconds.reduce((sum, each) => sum + each.seconds, 0);

/**
 * The compiled two-matmuls example, written by hand: on `dp=2, mp=2`, `h` is split over both axes
 * and must be gathered over `mp` before `y` is computed.
 */
export const twoMatmuls: Compiled = {
  source,
  system: { name: "nnscaler", title: "nnScaler" },
  diagnostics: [],
  mesh: {
    mesh,
    status: "set",
    span: spanOf("Mesh(dp=2, mp=2)"),
    sizeSpans: {
      dp: { from: source.indexOf("dp=") + 3, to: source.indexOf("dp=") + 4 },
      mp: { from: source.indexOf("mp=") + 3, to: source.indexOf("mp=") + 4 },
    },
  },
  hardware: assumedHardware,
  hardwareStatus: "assumed",
  graph,
  plan: {
    mesh,
    operators: new Map([
      [
        operatorId("h"),
        {
          strategy: { cuts: { b: [dp], f: [mp] }, carry: [] },
          mesh,
          status: "set",
          span: spanOf('strategy(h, b="dp", f="mp")'),
        },
      ],
      [
        operatorId("y"),
        {
          strategy: { cuts: { b: [dp] }, carry: [] },
          mesh,
          status: "set",
          span: spanOf('strategy(y, b="dp")'),
        },
      ],
    ]),
    placements: new Map(
      ["x", "w1", "w2"].map((id) => [
        tensorId(id),
        { layout: layouts[id] ?? layoutOf([], []), status: "inferred" },
      ]),
    ),
  },
  program,
  tensors: ["x", "w1", "w2", "h", "y"].map((id) => ({
    tensor: tensorId(id),
    layout: layouts[id] ?? layoutOf([], []),
    status: id === "h" || id === "y" ? "set" : "inferred",
  })),
  cost: {
    seconds: computeSeconds + seconds,
    computeSeconds,
    communicationSeconds: seconds,
    exposedSeconds: seconds,
    hiddenSeconds: 0,
    hostSeconds: 0,
    limit: "device",
    flops: Number.NaN,
    basis: "scaled",
    bytes,
    operators: operatorSeconds,
    collectives: [{ collective: "all-gather", axes: ["mp"], count: 1, bytes, seconds }],
  },
  modelFlops: { forward: 4 * 512 * 1024 * 4096, passes: 1 },
  memory: {
    peakBytes: 16252928,
    afterForwardBytes: Number.NaN,
    curve: [],
    parameterBytes: 12582912,
    inputBytes: 524288,
    activationBytes: 3145728,
    gradientBytes: 0,
    optimizerBytes: 0,
    workspaceBytes: 0,
    reservedBytes: 0,
    alive: [
      { value: valueId("w2"), bytes: 8388608 },
      { value: valueId("w1"), bytes: 4194304 },
      { value: valueId("h.1"), bytes: 2097152 },
      { value: valueId("h"), bytes: 1048576 },
      { value: valueId("x"), bytes: 524288 },
    ],
  },
};
