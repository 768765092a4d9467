import type { PublishedFile } from "./format.ts";

/** A published file from a text or bytes. */
export function fileOf(name: string, content: string | Uint8Array, size?: number): PublishedFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { name, bytes, size: size ?? bytes.length, decode: decodeText };
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A program that builds all its weights but runs no layer: parameter counts do not depend on the
 * call.
 */
export function madeOnly(program: string): string {
  const idle = "class Idle($1):\n    def forward(self, first, *others):\n        return first\n\n";
  const made = program.replace(/^model = (\w+)/mu, `${idle}model = Idle`);
  if (made === program) throw new Error("the text makes no model");
  // The call's result is bound to one name, even when the model returns several.
  return made.replace(/^(\w+)(?:, \w+)+ = model\(/mu, "$1 = model(");
}
