import { type LibraryEntry, library } from "#core/ir";
import { systems } from "#systems";
import {
  type Signature,
  type SystemExplains,
  sampleAnnotation,
  signatureTable,
} from "#systems/system/explain";

/** Name and parameters: `strategy(target, **cuts, carry)`. */
export function headOf({ name, parameters }: Signature): string {
  return `${name}(${parameters.map(({ shown }) => shown).join(", ")})`;
}

/**
 * The signature of a dotted name: a native word, a word of a system, or a library operator. A name
 * that the text binds is no native word.
 */
export function signatureOf(path: string, boundNames: ReadonlySet<string>): Signature | undefined {
  const word = path.split(".").at(-1) ?? path;
  const isOwn = path === word && boundNames.has(word) && systemWord(word) === undefined;
  const native = path === word || (word === "layout" && path !== word);
  const known = native && !isOwn ? nativeWords.get(word) : undefined;
  const entry = isOwn ? undefined : library.get(word);
  const operator = isOwn ? undefined : ofSystems(({ operator: of }) => of?.(word));
  if (operator !== undefined) return operator;
  const layer = path === word ? undefined : ofSystems((each) => layerSignature(word, each));
  if (layer !== undefined) return layer;
  return known ?? systemWord(word) ?? (entry && librarySignature(word, entry));
}

function systemWord(word: string): Signature | undefined {
  return ofSystems(({ signatures }) => signatures.get(word));
}

function ofSystems(of: (explains: SystemExplains) => Signature | undefined): Signature | undefined {
  for (const { explains } of systems) {
    const found = explains && of(explains);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The systems whose own redistribution steps a text can choose, quoted as in the text. */
const stepNames = systems
  .flatMap(({ name, reshards }) => (reshards === undefined ? [] : [`"${name}"`]))
  .join(", ");

/** The words of the native language, in the order of their use in a program. */
export const nativeWords: ReadonlyMap<string, Signature> = signatureTable([
  [
    "Mesh",
    "The devices as named axes, outermost first; a document has one.",
    ["**axes", "axis=size", "each axis with its number of devices, e.g. dp=2, mp=4"],
    ["devices", "devices=[…]", "device ids in row-major order; 0, 1, 2, … when unsaid"],
    [
      "hardware",
      'hardware="…"',
      'the devices\' preset, or one of your own: {"chip": "8xH100", "flops": 800e12}',
    ],
    [
      "chip",
      "chip={…}",
      'figures of a device in place of the preset\'s: {"flops": 800e12, "memory": 80e9, "memory_bandwidth": 3e12}; also peaks, launch, node, multiprocessors, crowding and efficiencies',
    ],
    [
      "links",
      "links={…}",
      'figures of the link of an axis: {"dp": {"bandwidth": 50e9, "latency": 10e-6, "fabric": "ring"}}; a fabric is "switch", "ring" or "line"',
    ],
  ],
  [
    "Tensor",
    "An input of the program.",
    ["shape", "shape", "a tuple of sizes; assumed when unsaid"],
    ["dtype", 'dtype="f32"', "the data type, before or after the shape"],
  ],
  [
    "Parameter",
    "A trained tensor of the program.",
    ["shape", "shape", "a tuple of sizes; assumed when unsaid"],
    ["dtype", 'dtype="f32"', "the data type, before or after the shape"],
  ],
  [
    "strategy",
    "How the operator that made a tensor is split: mesh axes per identifier, outermost first.",
    ["target", "target", 'a tensor, its name, or names with *: "layers[*].h"'],
    ["**cuts", "identifier=axes", 'an axis name, a tuple of them, or "None"'],
    ["carry", "carry=axes", "axes over which a partial sum passes through unreduced"],
  ],
  [
    "place",
    "How a tensor lies; on a computed tensor an identity with that layout.",
    ["tensor", "tensor", "a tensor, its name, or names with *"],
    ["layout", "layout(…)", "one entry per dim"],
  ],
  [
    "reshard",
    "Which steps a redistribution takes, where that is not the fastest plan of the model.",
    ["target", "target", "a tensor, its name, or names with *"],
    ["steps", "steps=…", `how many communicating steps, or whose own: ${stepNames}`],
    ["to", "to=layout(…)", "only for redistributions to this layout"],
  ],
  [
    "layout",
    "How a tensor lies on the document's mesh.",
    ["*dims", "*dims", 'per dim an axis name, a tuple of them (outermost first), or "None"'],
  ],
  [
    "shapes",
    "Sizes for tensors of pasted code that has none.",
    ["**shapes", "tensor=shape", "e.g. x=(8, 4096)"],
  ],
  [
    "train",
    "Makes the program a training step.",
    ["loss", "loss", "the tensor to minimise"],
    ["optimizer", 'optimizer="adam"', '"sgd", "momentum", "adam" or "adamw"'],
    ["microbatches", "microbatches=1", "how many parts a batch is worked off in"],
    ["zero", "zero=0", "0 to 3: what of the optimizer, gradients, parameters is cut"],
    [
      "recompute",
      "recompute=[…]",
      'what the backward pass computes again, "full", or the bytes to hold: "8GB"',
    ],
    ["overlap", 'overlap="weights"', 'what runs beside compute: the traffic of weights, or "none"'],
    [
      "precision",
      'precision="as-written"',
      '"as-written", "autocast", "megatron" or "fsdp": the data types of weights, gradients, state',
    ],
    ["gradients", 'gradients="f32"', 'of main gradients under "megatron": "f32" or "bf16"'],
    ["compiled", "compiled=False", "whether a compiler fuses chains of kernels"],
    ["lr", "lr=0.001", "the learning rate of the first step; an exported step is told it anew"],
    ["betas", "betas=(0.9, 0.999)", "how slowly the two means of adam and adamw forget"],
    ["eps", "eps=1e-8", "what adam and adamw add to the root of the mean of squares"],
    ["weight_decay", "weight_decay=0", "of adamw 0.01, and there apart from the gradient"],
    ["momentum", "momentum=0.9", 'how slowly the mean of "momentum" forgets'],
  ],
  [
    "pin",
    "What the planner leaves as it is: how an operator is split, how a tensor lies, the mesh.",
    ["*targets", "*targets", 'tensors, their names, names with *: "layers[*].h", or the mesh'],
  ],
  ["stage", "Reserved; has no effect yet.", ["tensor", "tensor", "a tensor"]],
]);

function layerSignature(name: string, { layers }: SystemExplains): Signature | undefined {
  const parameters = layers?.get(name);
  if (parameters === undefined) return undefined;
  const words = parameters.map((own) => ({ name: own, shown: own, meaning: "" }));
  return { name, parameters: words, meaning: "A layer: its weights are parameters." };
}

/**
 * The signature of a library operator: its parameters, and its annotation for a call of usual
 * ranks.
 */
function librarySignature(name: string, entry: LibraryEntry): Signature {
  const tensors = entry.parameters.slice(0, entry.tensors);
  const names = [...(entry.leading === undefined ? [] : [entry.leading]), ...entry.parameters];
  const parameters = names.map((own) => {
    const at = tensors.indexOf(own);
    const isOptional = at < 0 ? own !== entry.leading : at >= entry.required;
    const list = entry.variadic && at === 0;
    const kind = list ? "a list of tensors" : at >= 0 ? "a tensor" : "no tensor";
    return {
      name: own,
      shown: own,
      meaning: isOptional ? `${kind}, optional` : kind,
    };
  });
  return { name, parameters, meaning: sampleAnnotation(entry) };
}
