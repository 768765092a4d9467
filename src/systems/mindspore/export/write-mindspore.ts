import type { SpmdProgram } from "#core/program";
import { type WrittenFile, withKeptTensors, writtenFile } from "#systems/arrays";
import { cellOf } from "./cell.ts";
import { claimsOf, type MindsporeClaims } from "./claims.ts";
import { fileText } from "./file-text.ts";

/**
 * Writes the forward part of a per-device program as one cell of MindSpore 2.10, with the plan's
 * strategies as Layouts, or as tuples if a primitive accepts only these (engine-mindspore.md).
 *
 * The collectives are MindSpore's own: claims and comments list those of its compiler, not the
 * plan's. Forms that 2.10 compiles to wrong data are not written.
 */
export function writeMindspore(program: SpmdProgram): WrittenFile<MindsporeClaims> {
  return writtenFile(() => {
    const cell = cellOf(withKeptTensors(program, ["input", "parameter"]));
    const claims = claimsOf(cell);
    return { text: fileText(cell, claims, program), claims };
  });
}
