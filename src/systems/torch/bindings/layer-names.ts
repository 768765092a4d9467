import type { Span } from "#core/diagnostics";
import { isOtherCase, readAs } from "#language/document/bindings";
import { hostFunction, none } from "#language/document/bindings/values";
import type { Context, ModuleValue, Value } from "#language/python";
import type { ParallelWords } from "../parallel/parallel-words.ts";
import { checkedClass } from "./layer-keywords.ts";
import { torchLayerParameters } from "./layer-table.ts";
import type { PythonLibraries } from "./python-libraries.ts";
import { parameterWord } from "./tensor-word.ts";
import type { TorchParts } from "./torch-functions.ts";
import type { TorchLayers } from "./torch-layers.ts";
import { submodulesInside } from "./torch-names.ts";

/** Parts of the bindings of torch that names of its submodules are read with. */
export interface NameParts extends TorchParts {
  readonly libraries: PythonLibraries;
  readonly parallel: ParallelWords;
  /** Parts of words that make tensors. */
  readonly words: Parameters<typeof parameterWord>[0];
  /** A word that stands for a class, the same one each time. */
  readonly kept: (name: string, make: () => Value) => Value;
  /** A module of torch by its dotted name. */
  readonly module: (name: string) => ModuleValue | undefined;
}

/** The names of `torch.nn`. */
export class LayerNames {
  private readonly parts: NameParts;
  private readonly layers: TorchLayers;

  constructor(parts: NameParts, layers: TorchLayers) {
    this.parts = parts;
    this.layers = layers;
  }

  /** A name of `torch.nn` that is read here. */
  read(name: string, context: Context): Value | undefined {
    const { modules, tensors, parallel, kept, words, module } = this.parts;
    if (name === "Module") return modules.module;
    if (name === "ModuleList") return modules.list;
    if (name === "Sequential") return modules.sequence;
    if (name === "Buffer") {
      return hostFunction(name, ([given]) => {
        if (given !== undefined) tensors.setBuffer(given.value);
        return given?.value ?? none;
      });
    }
    if (name === "Parameter") return kept(name, () => parallel.carrying(parameterWord(words)));
    if (submodulesInside.has(`torch.nn.${name}`)) return module(`torch.nn.${name}`);
    return this.layer(name, context);
  }

  /** A layer whose name was written with other capital letters. */
  otherCase(name: string, context: Context, span: Span): Value | undefined {
    const meant = [...torchLayerParameters.keys()].find((known) => isOtherCase(known, name));
    if (meant === undefined) return undefined;
    return readAs("torch.nn", name, meant, this.layer(meant, context), context, span);
  }

  private layer(name: string, context: Context): Value | undefined {
    const own = this.layers.class(name) ?? this.parts.libraries.member("torch.nn", name, context);
    return own && checkedClass(name, own);
  }
}
