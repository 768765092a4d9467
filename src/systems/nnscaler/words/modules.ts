import {
  type Boxes,
  hostFunction,
  misspeltMember,
  namespace,
  type RegisteredWords,
  type TorchClasses,
} from "#language/document/words";
import type { ModuleValue, Value } from "#language/python";

import type { PolicyWords } from "./policies.ts";
import { registerOp } from "./register-op.ts";

import { transformRuleWords } from "./transform-rules.ts";

/** `nnscaler` and its submodules as Python modules. */
export class NnscalerWords {
  private readonly words: ReadonlyMap<string, Value>;
  private readonly boxes: Boxes;

  constructor(
    registered: RegisteredWords,
    classes: TorchClasses,
    policies: PolicyWords,
    boxes: Boxes,
  ) {
    this.boxes = boxes;
    this.words = new Map<string, Value>([
      [
        "register_op",
        hostFunction("register_op", (args, context, span) =>
          registerOp(registered, classes, args, context, span),
        ),
      ],
      ["IRFwOperation", policies.operationClass],
      ...transformRuleWords(),
    ]);
  }

  /** Every module of nnScaler offers all its words; what it does not have here is assumed. */
  module(name: string): ModuleValue | undefined {
    if (name !== "nnscaler" && !name.startsWith("nnscaler.")) return undefined;
    return {
      kind: "module",
      name,
      attribute: (attribute, context, span) =>
        this.words.get(attribute) ??
        misspeltMember(
          name,
          attribute,
          this.words.keys(),
          (meant) => this.words.get(meant),
          context,
          span,
        ) ??
        this.inner(`${name}.${attribute}`),
    };
  }

  private inner(path: string): Value {
    const last = path.split(".").at(-1) ?? "";
    return /^[a-z]/.test(last) && packages.has(last)
      ? namespace(
          path,
          (attribute) => this.words.get(attribute) ?? this.inner(`${path}.${attribute}`),
        )
      : this.boxes.assumed(path);
  }
}

const packages: ReadonlySet<string> = new Set([
  "graph",
  "function",
  "dimops",
  "ir",
  "operator",
  "parser",
  "register",
  "runtime",
]);
