/** How files with weights end. */
export const weightsEnding = ".safetensors";

/** Whether a file has weights for a run, and is no text to be opened: by its name. */
export function isWeights({ name }: Pick<File, "name">): boolean {
  return name.toLowerCase().endsWith(weightsEnding);
}
