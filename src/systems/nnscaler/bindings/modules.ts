import { misspeltMember, type OpaqueOperators } from "#language/document/bindings";
import { hostFunction, none, textOf } from "#language/document/bindings/values";
import type { Recorder } from "#language/document/trace";
import type { Context, ModuleValue, Value } from "#language/python";
import type { PolicyRequests } from "./parallelize.ts";
import type { PolicyBindings } from "./policies.ts";
import type { PolicyConfigs } from "./policy-config.ts";
import { type RegisteringParts, registerOp } from "./register-op.ts";
import { transformRuleBindings } from "./transform-rules.ts";

/** Services for nnScaler's modules. */
export interface NnscalerParts extends RegisteringParts {
  readonly opaque: OpaqueOperators;
  readonly words: PolicyBindings;
  readonly recorder: Recorder;
  readonly requests: PolicyRequests;
  readonly configs: PolicyConfigs;
  readonly library: (name: string, context: Context) => Value | undefined;
}

/** `nnscaler` and its submodules as Python modules. */
export class NnscalerBindings {
  private readonly words: ReadonlyMap<string, Value>;
  private readonly parts: NnscalerParts;

  constructor(parts: NnscalerParts) {
    const { words, requests } = parts;
    this.parts = parts;
    this.words = new Map<string, Value>([
      [
        "register_op",
        hostFunction("register_op", (args, context, span) =>
          registerOp(parts, args, context, span),
        ),
      ],
      ...Object.entries(words.classes),
      ["parallelize", requests.parallelize],
      ["parallelize_graph", words.searched],
      ...transformRuleBindings(),
    ]);
  }

  /**
   * A module of nnScaler, each with all its names; names that are not modelled are assumed.
   * `undefined` for other modules.
   */
  module(name: string): ModuleValue | undefined {
    const offered = besides.get(name);
    if (offered !== undefined) return this.besides(name, offered);
    if (name !== "nnscaler" && !name.startsWith("nnscaler.")) return undefined;
    return {
      kind: "module",
      name,
      attribute: (attribute, context, span) =>
        this.member(name, attribute, context) ??
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

  /**
   * Another package's module that offers some names useful to policies; its other names are
   * assumed.
   */
  private besides(name: string, offered: ReadonlySet<string>): ModuleValue {
    const { library, opaque } = this.parts;
    return {
      kind: "module",
      name,
      attribute: (attribute, context) =>
        (offered.has(attribute) ? library(attribute, context) : undefined) ??
        opaque.assumed(attribute),
    };
  }

  private member(home: string, name: string, context: Context): Value | undefined {
    if (name === "compile" && home === "nnscaler.compiler") return this.parts.requests.compile;
    if (name === "anchor" && home.startsWith("nnscaler.runtime")) return this.anchor();
    if (name === "ComputeConfig") return this.parts.configs.class(context);
    return (
      this.words.get(name) ?? (inPython.has(name) ? this.parts.library(name, context) : undefined)
    );
  }

  /**
   * `anchor(name)` in a model marks a position in the graph, which policies see as an
   * `IRGraphAnchor`.
   */
  private anchor(): Value {
    const { words, recorder } = this.parts;
    return hostFunction("anchor", ([name]) => {
      words.anchors.push({
        name: textOf(name?.value) ?? "anchor",
        before: recorder.trace.operators.length,
      });
      return none;
    });
  }

  private inner(path: string): Value {
    const last = path.split(".").at(-1) ?? "";
    if (!packages.has(last)) return this.parts.opaque.assumed(path);
    return {
      kind: "module",
      name: path,
      attribute: (attribute, context) =>
        this.member(path, attribute, context) ?? this.inner(`${path}.${attribute}`),
    };
  }
}

/** Names that nnScaler's own Python code defines. */
const inPython: ReadonlySet<string> = new Set(
  [
    "CompileFlag PredefinedSched _tp _replica tensor_parallelism replica auto_multiref is_tensor_in_output",
    "pas_dp pas_tp pas_data pas_hybrid pas_pp",
  ].flatMap((line) => line.split(" ")),
);

/** Names of other packages: a helper that divides lists, and helpers of nnScaler's examples. */
const besides: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["more_itertools", new Set(["divide"])],
  ["examples.utils", new Set(["tensor_parallelism", "replica", "create_mesh"])],
]);

const packages: ReadonlySet<string> = new Set([
  "graph",
  "compiler",
  "policies",
  "parallel",
  "segment",
  "schedule",
  "predefined",
  "flags",
  "function",
  "dimops",
  "ir",
  "operator",
  "parser",
  "register",
  "runtime",
]);
