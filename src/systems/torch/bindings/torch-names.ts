// Names of torch whose meaning follows from the name alone.

/** Modules of timm, by their whole names and as its own files name those beside them. */
const timmsOwn =
  /^(timm\.|\._(builder|features(_fx)?|helpers|hub|input|manipulate|pretrained|registry)$|\.(cait|vision_transformer)$)/;

/** Packages that a part here stands for, by the beginnings of their modules' names. */
export function packageHome(name: string): string | undefined {
  if (["einops", "einops.layers.torch", "packaging.version", "peft"].includes(name)) return name;
  if (/^pydantic(_settings)?(\.|$)/.test(name)) return "pydantic";
  if (/^(?:hydra|omegaconf)(?:\.|$)/.test(name)) return "hydra";
  if (timmsOwn.test(name)) return "timm";
  if (
    /^torchtitan\.(?:config|config_manager|distributed|parallelisms|tools|logging)(?:\.|$)/.test(
      name,
    )
  )
    return "torchtitan";
  if (/^(?:accelerate|deepspeed|lightning|pytorch_lightning)(?:\.|$)/.test(name))
    return "trainingLoops";
  if (name === "mingpt.utils" || name === "yacs.config") return "configNode";
  if (
    /^(torchvision(\.|$)|\.\.(ops|utils|transforms|_internally)|\.{1,2}_(api|meta|utils)$)/.test(
      name,
    )
  )
    return "torchvision";
  if (/^(transformers(\.|$)|\.\.\.(\w|$)|\.configuration_\w)/.test(name)) return "transformers";
  return /^(megatron|fairscale)/.test(name) ? "megatron" : undefined;
}

/** Modules inside of packages that a part here stands for. */
export const packageModules: ReadonlySet<string> = new Set([
  ...["datasets", "models", "ops", "transforms", "transforms.v2", "utils"].map(
    (name) => `torchvision.${name}`,
  ),
  ...["_utils", "convnext", "densenet", "efficientnet", "feature_extraction", "inception"].map(
    (name) => `torchvision.models.${name}`,
  ),
  ...["mobilenet", "mobilenetv2", "mobilenetv3", "regnet", "resnet", "segmentation"].map(
    (name) => `torchvision.models.${name}`,
  ),
  ...["shufflenetv2", "squeezenet", "swin_transformer", "vgg", "vision_transformer"].map(
    (name) => `torchvision.models.${name}`,
  ),
  "lightning.pytorch",
]);

/** Data types by the names of C, as torch has them too. */
export const shortTypes: Readonly<Record<string, string>> = {
  long: "int64",
  int: "int32",
  short: "int16",
  half: "float16",
  float: "float32",
  double: "float64",
};

/** Data types of complex numbers, which nothing here computes with. */
export const complexTypes: ReadonlySet<string> = new Set([
  ...["complex32", "complex64", "complex128", "chalf", "cfloat", "cdouble"],
]);

/** Functions of `torch` itself that take their reduction as a number, otherwise than `F`'s. */
export const codedReductions: ReadonlySet<string> = new Set([
  ...["binary_cross_entropy_with_logits", "cosine_embedding_loss", "ctc_loss", "kl_div"],
  ...["hinge_embedding_loss", "margin_ranking_loss", "poisson_nll_loss", "triplet_margin_loss"],
]);

/** Functions whose results are complex. */
export const complexMakers: ReadonlySet<string> = new Set(["complex", "polar", "view_as_complex"]);

export const submodules: ReadonlySet<string> = new Set([
  "fx",
  "func",
  "distributions",
  "library",
  "nested",
  "sparse",
  "fft",
  "random",
  "mps",
  "xpu",
  "profiler",
  "compiler",
  "_dynamo",
  "types",
  "hub",
  "nn",
  "autograd",
  "special",
  "linalg",
  "distributed",
  "cuda",
  "testing",
  "utils",
  "optim",
  "jit",
  "multiprocessing",
  "backends",
  "amp",
  "accelerator",
]);

/** Modules inside of others that are known. */
export const submodulesInside: ReadonlySet<string> = new Set([
  ...["functional", "init", "utils", "modules", "parameter", "parallel"].map(
    (each) => `torch.nn.${each}`,
  ),
  ...[
    "torch.backends.cuda",
    "torch.backends.mps",
    "torch.utils.checkpoint",
    "torch.utils.data",
    "torch.utils.data.distributed",
    "torch.optim.lr_scheduler",
    "torch.cuda.amp",
    "torch.nn.modules.utils",
  ],
  ...[
    "torch.nn.utils.parametrizations",
    "torch.nn.utils.parametrize",
    "torch.nn.utils.rnn",
    "torch.nn.parallel.distributed",
  ],
  ...["device_mesh", "tensor", "fsdp", "_tensor", "_composable", "algorithms", "nn"].map(
    (each) => `torch.distributed.${each}`,
  ),
  ...["torch.distributed.tensor.parallel", "torch.distributed.tensor.experimental"],
  ...["torch.distributed.fsdp.wrap", "torch.distributed._composable.fsdp"],
]);

/** Classes of tensors: called with sizes they make one. */
export const tensorTypes: ReadonlySet<string> = new Set([
  ...["Tensor", "FloatTensor", "HalfTensor", "BFloat16Tensor", "DoubleTensor", "LongTensor"],
  ...["IntTensor", "ShortTensor", "CharTensor", "ByteTensor", "BoolTensor"],
]);

/** The version of PyTorch whose signatures are read. */
export const torchVersion = "2.6.0";

/** Decorators and contexts that a graph ignores. */
export const modes: ReadonlySet<string> = new Set([
  ...["sdpa_kernel", "sdp_kernel", "set_detect_anomaly", "detect_anomaly", "fork_rng"],
  "autocast",
]);
