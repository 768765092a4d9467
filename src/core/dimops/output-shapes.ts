import type { Diagnostic } from "#core/diagnostics";
import type { DimAnno, Identifier, OpAnno } from "./annotation.ts";
import { printDim } from "./print.ts";

/** The shape of each output; `undefined` for an ignored one, which may be any object. */
export type OutputShapes = readonly (readonly number[] | undefined)[];

/**
 * The shapes that an annotation gives its outputs: each dim is the product of its identifiers.
 *
 * Keyword arguments are not consulted, so an identifier that no input has is a fault, one for each
 * such identifier; so is a size beyond 2^53. A tensor without dims has the shape `[]`.
 */
export function outputShapesOf(
  annotation: OpAnno,
  sizes: ReadonlyMap<string, number>,
): { readonly outputs: OutputShapes; readonly diagnostics: readonly Diagnostic[] } {
  let isFine = true;
  const sizeOf = ({ identifiers }: DimAnno) => {
    let product = 1;
    for (const { name } of identifiers) {
      const size = sizes.get(name);
      if (size === undefined) isFine = false;
      product *= size ?? 0;
    }
    if (!Number.isSafeInteger(product)) isFine = false;
    return product;
  };
  const outputs = annotation.outputs.map((shape) => {
    return shape.ignored ? undefined : shape.dims.map(sizeOf);
  });
  return { outputs, diagnostics: isFine ? [] : faultsOf(annotation, sizes, outputs) };
}

function faultsOf(
  { outputs }: OpAnno,
  sizes: ReadonlyMap<string, number>,
  shapes: OutputShapes,
): readonly Diagnostic[] {
  const unknown = new Map<string, Identifier>();
  for (const { ignored, dims } of outputs) {
    for (const identifier of ignored ? [] : dims.flatMap(({ identifiers }) => identifiers)) {
      const { name } = identifier;
      if (!sizes.has(name) && !unknown.has(name)) unknown.set(name, identifier);
    }
  }
  const tooLarge = outputs.flatMap(({ dims }, output) =>
    dims.filter((_, dim) => !Number.isSafeInteger(shapes[output]?.[dim] ?? 0)),
  );
  const missing = [...unknown.values()].map(outputWithoutSize);
  return [...missing, ...tooLarge.map(sizeTooLarge)];
}

/** Reports each output whose real shape is not the inferred one; a scalar counts as `[1]`. */
export function checkOutputShapes(
  inferred: OutputShapes,
  real: OutputShapes,
): readonly Diagnostic[] {
  return inferred.flatMap((shape, output): Diagnostic[] => {
    const other = real[output];
    if (shape === undefined || other === undefined) return [];
    const [wanted, got] = [shape, other].map((each) => (each.length === 0 ? "1" : each.join(", ")));
    if (wanted === got) return [];
    return [
      {
        code: "dimops/output-shape-mismatch",
        severity: "error",
        message: `the annotation gives output ${output} the shape (${wanted}), but it is (${got})`,
        upstream: "ValueError",
      },
    ];
  });
}

function outputWithoutSize({ name, span }: Identifier): Diagnostic {
  return {
    code: "dimops/output-without-size",
    severity: "error",
    message: `nothing gives the size of "${name}" in the outputs: no input has this identifier`,
    span,
    upstream: "TypeError",
  };
}

function sizeTooLarge(dim: DimAnno): Diagnostic {
  return {
    code: "dimops/size-too-large",
    severity: "error",
    message: `the size of "${printDim(dim)}" is beyond 2^53`,
    span: dim.span,
  };
}
