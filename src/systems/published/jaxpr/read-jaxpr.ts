import type { Checked } from "#core/diagnostics";
import type { PublishedFile, PublishedProgram } from "../format.ts";
import { refused } from "../refused.ts";
import { readModuleText } from "../stablehlo/read-stablehlo.ts";
import { JaxprFault } from "./parse.ts";
import { stablehloOf } from "./to-stablehlo.ts";

/** Most bytes of a jaxpr. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads a jaxpr, as `print(jax.make_jaxpr(f)(x))` prints it, as a program. It is rewritten as the
 * StableHLO to which JAX lowers it, which is then read. A jaxpr has no names, and does not mark
 * parameters.
 */
export function readJaxpr(
  file: PublishedFile,
  _choice: unknown = {},
  tell: (operators: number) => void = () => {},
): Checked<PublishedProgram> {
  const { name, size } = file;
  if (size > mostBytes) return refused(name, "a jaxpr has at most 64 MiB");
  const text = file.decode(file.bytes);
  if (text === undefined) return refused(name, "it is no text");
  try {
    return readModuleText(name, stablehloOf(text), { format: "jaxpr", noun: "a jaxpr", tell });
  } catch (fault) {
    if (fault instanceof JaxprFault) return refused(name, fault.message);
    throw fault;
  }
}
