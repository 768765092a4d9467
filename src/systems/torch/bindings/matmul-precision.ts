// How precise products of float32 are: `torch.set_float32_matmul_precision` and its older switches.

import type { Span } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { hostFunction, none, text, textOf } from "#language/document/bindings/values";
import type { Recorder } from "#language/document/trace";
import type { Context, HostType, Value } from "#language/python";

const levels = ["highest", "high", "medium"] as const;

type Level = (typeof levels)[number];

/** Words of the newer switch, by whether products are then made in tf32. */
const precisions: Readonly<Record<string, boolean>> = { tf32: true, ieee: false, none: false };

/** The switch that decides whether products of float32 are made in tf32. */
export class MatmulPrecision {
  private readonly recorder: Pick<Recorder, "products">;
  private level: Level = "highest";
  /** What else is set, to be read back. */
  private readonly others = new Map<string, Value>();
  /** `torch.backends.cuda.matmul`. */
  readonly backend: Value;

  constructor(recorder: Pick<Recorder, "products">) {
    this.recorder = recorder;
    const type: HostType = {
      name: "cuBLASModule",
      text: () => "torch.backends.cuda.matmul",
      attribute: (_self, name) => this.setting(name),
      setAttribute: (_self, name, value, context, span) => this.set(name, value, context, span),
    };
    this.backend = { kind: "host", type, data: undefined };
  }

  /** A function of `torch` that reads or sets it. */
  word(name: string): Value | undefined {
    if (name === "get_float32_matmul_precision") return hostFunction(name, () => text(this.level));
    if (name !== "set_float32_matmul_precision") return undefined;
    return hostFunction(name, ([given], context, span) => {
      const said = textOf(given?.value);
      const level = levels.find((each) => each === said);
      if (level === undefined) sayIgnored(said, context, given?.span ?? span);
      else this.setLevel(level);
      return none;
    });
  }

  private setting(name: string): Value | undefined {
    const isFast = this.recorder.products !== undefined;
    if (name === "allow_tf32") return { kind: "bool", value: isFast };
    if (name === "fp32_precision") return text(isFast ? "tf32" : "ieee");
    return this.others.get(name) ?? none;
  }

  private set(name: string, value: Value, context: Context, span: Span): boolean {
    if (name === "allow_tf32" && value.kind === "bool") {
      this.setLevel(value.value ? "high" : "highest");
      return true;
    }
    if (name === "allow_tf32") {
      const message = "set_allow_tf32_cublas expects a bool";
      return context.raise("RuntimeError", message, span);
    }
    if (name !== "fp32_precision") {
      this.others.set(name, value);
      return true;
    }
    const said = textOf(value) ?? "";
    const isFast = fieldOf(precisions, said);
    if (isFast === undefined) {
      return context.raise("RuntimeError", `Unknown precision: ${said}`, span);
    }
    this.setLevel(isFast ? "high" : "highest");
    return true;
  }

  private setLevel(level: Level): void {
    this.level = level;
    this.recorder.products = level === "highest" ? undefined : "tf32";
  }
}

function sayIgnored(said: string | undefined, context: Context, span: Span): void {
  if (said === undefined) return;
  context.report({
    code: "torch/unknown-precision",
    severity: "warning",
    message: `"${said}" is not one of "highest", "high" and "medium": the precision of products stays as it is`,
    span,
    upstream: "UserWarning",
    fixes: [{ title: 'Write "high"', edits: [{ ...span, text: '"high"' }] }],
  });
}
