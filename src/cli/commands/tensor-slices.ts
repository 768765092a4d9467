import type { Compiled } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { compileRequest } from "./compile-request.ts";
import { type SliceRow, sliceRows } from "./slice-rows.ts";

/** `slices` of a program's tensor, named as in `plan`. */
export function tensorSlices(args: Arguments): Answer {
  const { tensor: name } = args;
  if (typeof name !== "string") return badRequest('"tensor" must be the name of a tensor');
  const compiled = compileRequest(args);
  if (!compiled.ok) return { ok: false, diagnostics: compiled.diagnostics };
  const slices = slicesOfTensor(compiled.value, name);
  if (slices === undefined) return unknownTensor(compiled.value, name);
  const { diagnostics } = compiled.value;
  return { ok: !hasErrors(diagnostics), slices, diagnostics };
}

function slicesOfTensor(compiled: Compiled, name: string): readonly SliceRow[] | undefined {
  const tensor = compiled.program.graph.tensors.find((each) => each.name === name);
  const view = compiled.tensors.find((each) => each.tensor === tensor?.id);
  if (tensor === undefined || view === undefined) return undefined;
  return sliceRows(view, tensor.shape, tensor.start);
}

function unknownTensor({ graph, diagnostics }: Compiled, name: string): Answer {
  const names = graph.tensors.map((tensor) => `"${tensor.name}"`).join(", ");
  const message = `the program has no tensor "${name}"; it has ${names === "" ? "none" : names}`;
  const fault = { code: "cli/unknown-tensor", severity: "error", message } as const;
  return { ok: false, diagnostics: [...diagnostics, fault] };
}
