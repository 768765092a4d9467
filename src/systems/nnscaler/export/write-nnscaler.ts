import type { SpmdProgram } from "#core/program";
import { type WrittenFile, withKeptTensors, writtenFile } from "#systems/arrays";
import type { TextModel } from "../text-model.ts";
import { claimsOf, type NnscalerClaims } from "./claims.ts";
import { fileText, policyFileText } from "./file-text.ts";
import { modelOf } from "./model.ts";

/**
 * Writes the forward part of a per-device program as a PyTorch module, with operators registered in
 * nnScaler 0.8 by their annotations. The plan becomes a policy that partitions every operator by
 * its position in the model (engine-nnscaler.md §4).
 *
 * The adapters are nnScaler's own: claims and comments list those that it generates, not the
 * plan's. Forms with which 0.8 computes wrong numbers are refused, or written in a correct form.
 */
export function writeNnscaler(program: SpmdProgram): WrittenFile<NnscalerClaims> {
  return writtenFile(() => {
    const kept = withKeptTensors(program, ["parameter"]);
    const model = modelOf(kept);
    const { claims, rules } = claimsOf(model, kept);
    return { text: fileText(model, claims, { rules, program }), claims };
  });
}

/**
 * Writes the plan as a policy of nnScaler 0.8 for the module from which the program was read, and
 * which the file imports. Every cut is keyed by the path of the calling module, the function, and
 * the number of its earlier calls.
 *
 * @param text the module; without one no policy is written
 */
export function writePolicy(
  program: SpmdProgram,
  text: TextModel | undefined,
): WrittenFile<NnscalerClaims> {
  if (text === undefined)
    return { ok: false, reason: "its operators are not all those of one module of the text" };
  if (text.refusal !== undefined) return { ok: false, reason: text.refusal };
  return writtenFile(() => {
    const model = modelOf(program, text);
    const { claims, rules } = claimsOf(model, program);
    return { text: policyFileText(model, claims, { rules, program, text }), claims };
  });
}
