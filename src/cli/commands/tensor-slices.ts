import type { Compiled } from "#compile";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { compileRequest } from "./compile-request.ts";
import { type SliceRow, sliceRows } from "./slice-rows.ts";

/** `slices` of a tensor of a program, as `plan` lists it. */
export function tensorSlices(args: Arguments): Answer {
  const request = compileRequest(args);
  if (!("compiled" in request)) return request;
  const { compiled, ok, diagnostics } = request;
  const { tensor: name } = args;
  if (typeof name !== "string") return badRequest('"tensor" must be the name of a tensor');
  const slices = slicesOfTensor(compiled, name);
  if (slices === undefined) return unknownTensor(compiled, name, diagnostics);
  return { ok, slices, diagnostics };
}

function slicesOfTensor(compiled: Compiled, name: string): readonly SliceRow[] | undefined {
  const tensor = compiled.graph.tensors.find((each) => each.name === name);
  const view = compiled.tensors.find((each) => each.tensor === tensor?.id);
  if (tensor === undefined || view === undefined) return undefined;
  return sliceRows(view.layout, tensor.shape);
}

function unknownTensor(
  compiled: Compiled,
  name: string,
  diagnostics: Answer["diagnostics"],
): Answer {
  const names = compiled.graph.tensors.map((tensor) => `"${tensor.name}"`).join(", ");
  const message = `the program has no tensor "${name}"; it has ${names === "" ? "none" : names}`;
  const fault = { code: "cli/unknown-tensor", severity: "error", message } as const;
  return { ok: false, diagnostics: [...diagnostics, fault] };
}
