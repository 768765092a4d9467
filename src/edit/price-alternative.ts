import type { CompileOptions } from "#compile";
import { compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import type { TensorId } from "#core/ir";

/** Figures of a whole text, and the bytes that redistributions of one tensor send. */
export interface TextCost {
  readonly bytes: number;
  readonly peakBytes: number;
  readonly seconds: number;
  readonly tensorBytes: number;
}

/** Weighs a text; `undefined` if it has errors. */
export function priceAlternative(
  source: string,
  tensor: TensorId,
  options: CompileOptions = {},
): TextCost | undefined {
  const { diagnostics, program, cost, memory } = compile(source, options);
  if (hasErrors(diagnostics)) return undefined;
  const own = program.redistributions.filter((each) => each.tensor === tensor);
  return {
    bytes: cost.bytes,
    peakBytes: memory.peakBytes,
    seconds: cost.seconds,
    tensorBytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
