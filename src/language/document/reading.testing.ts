import { printAnnotation } from "#core/dimops";
import { printLayout } from "#core/mesh";
import { readDocument } from "#systems";
import type { Document } from "./read-document.ts";

/** Result of reading a text, in short strings for test tables. */
export interface Reading {
  /**
   * Diagnostics such as `warning document/undefined-name NameError`, except those that every short
   * text has.
   */
  readonly said: readonly string[];
  /** Tensors such as `x[8,16]`; parameters have a `!`, and unknown shapes are `y[?]`. */
  readonly tensors: string;
  /** Operators such as `y matmul m k+, k+ n -> m n`. */
  readonly operators: readonly string[];
  /** Cuts such as `y m=dp n=tp`, of operators that the text or a system splits. */
  readonly cuts: readonly string[];
  /** Placements such as `x=dp,_`, of tensors that the text places. */
  readonly placed: string;
}

/** Codes that short programs cause on purpose. */
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
