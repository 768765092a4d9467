/** File name extension of weights. */
export const weightsEnding = ".safetensors";

/** Whether a file, by its name, holds weights for a run rather than a text to open. */
export function isWeights({ name }: Pick<File, "name">): boolean {
  return name.toLowerCase().endsWith(weightsEnding);
}
