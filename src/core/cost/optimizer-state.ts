/**
 * Bytes that an optimizer keeps between steps per element of a trained parameter, with the master
 * copy of one of two bytes (planner-plain.md §7).
 */
export function optimizerStateBytes(optimizer: string, bytesPerElement: number): number {
  if (optimizer === "adam" || optimizer === "adamw") return bytesPerElement === 2 ? 12 : 8;
  return optimizer === "momentum" ? 4 : 0;
}
