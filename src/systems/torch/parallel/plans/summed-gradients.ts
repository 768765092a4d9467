import type { Diagnostic } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { StyledModule } from "../record.ts";
import type { StyleSetting } from "./style-cuts.ts";

/**
 * When several column-wise layers read one tensor, PyTorch reduces each layer's gradient by itself,
 * while the board adds the gradients first and reduces once. Inputs that a style prepares are added
 * first too.
 */
export function summedGradients({ record, operators }: StyleSetting): readonly Diagnostic[] {
  const prepared = new Set(
    record.calls.flatMap(({ args }) =>
      args.map(({ value }) => operators.idOf(record.tensorOf(value))),
    ),
  );
  const readers = new Map<TensorId, StyledModule[]>();
  for (const styled of record.styles) {
    const isCopied = styled.style.kind === "columns" && styled.style.inputs[0]?.kind !== "shard";
    const given = isCopied ? operators.of(styled.module)[0]?.inputs[0]?.tensor : undefined;
    if (given === undefined || prepared.has(given)) continue;
    readers.set(given, [...(readers.get(given) ?? []), styled]);
  }
  const [shared] = [...readers].filter(([, styled]) => styled.length > 1);
  const [tensor, styled] = shared ?? [];
  const [first] = styled ?? [];
  if (tensor === undefined || styled === undefined || first === undefined) return [];
  const paths = styled.map(({ path }) => `"${path}"`).join(", ");
  return [
    {
      code: "torch/summed-gradients",
      severity: "info",
      message: `PyTorch reduces the gradient of "${tensor}" once for each of ${paths}; the board adds what they leave and reduces once, as after a PrepareModuleInput around them`,
      span: first.span,
    },
  ];
}
