import { printAnnotation } from "#core/dimops";
import { printLayout } from "#core/mesh";
import { readDocument } from "#systems";
import type { Document } from "./read-document.ts";

/** A reading as text that a table can hold. */
export interface Reading {
  /** `warning document/undefined-name NameError`, without what a short text always lacks. */
  readonly said: readonly string[];
  /** `x[8,16]`, parameters with a `!`, `y[?]` where nobody knows the shape. */
  readonly tensors: string;
  /** `y matmul m k+, k+ n -> m n`. */
  readonly operators: readonly string[];
  /** `y m=dp n=tp`, of the operators that the text or a system splits. */
  readonly cuts: readonly string[];
  /** `x=dp,_`, of the tensors that the text places. */
  readonly placed: string;
}

/** What short programs leave out on purpose. */
const usual = new Set(["document/missing-import", "document/assumed-shape"]);

export function reading(text: string): Reading {
  const document = readDocument(text);
  const { graph } = document;
  return {
    said: document.diagnostics
      .filter(({ code }) => !usual.has(code))
      .map(({ severity, code, upstream }) => [severity, code, upstream ?? ""].join(" ").trim()),
    tensors: graph.tensors
      .map(({ name, shape, role, isUnknown }) => {
        const sizes = isUnknown === true ? "?" : String(shape);
        return `${name}[${sizes}]${role === "parameter" ? "!" : ""}`;
      })
      .join(" "),
    operators: graph.operators.map(
      ({ name, op, annotation }) => `${name} ${op} ${printAnnotation(annotation)}`,
    ),
    cuts: cutsOf(document),
    placed: [...document.requests.placements]
      .map(([tensor, { layout }]) => `${tensor}=${printLayout(layout)}`)
      .join(" "),
  };
}

function cutsOf({ requests, graph }: Document): readonly string[] {
  return graph.operators.flatMap(({ id, name }) => {
    const cuts = Object.entries(requests.operators.get(id)?.strategy.cuts ?? {});
    const shown = cuts.map(([key, parts]) => {
      const axes = parts.map((part) =>
        part.kind === "axis"
          ? `${part.axis}${part.before > 1 ? `:(${part.before})${part.size}` : ""}`
          : `~${part.count}`,
      );
      return `${key}=${axes.join("*")}`;
    });
    return shown.length === 0 ? [] : [[name, ...shown].join(" ")];
  });
}
