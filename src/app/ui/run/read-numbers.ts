/** Numbers from text, separated by commas, spaces, lines or brackets. */
export interface ReadNumbers {
  readonly numbers: readonly number[];
  /** First piece that is not a number. */
  readonly fault?: string;
}

/** Reads numbers in order; `[[1, −2], [3e1, 4]]` and `1 -2 30 4` are equal. */
export function readNumbers(text: string): ReadNumbers {
  const pieces = text.split(/[\s,;[\]()]+/).filter((piece) => piece !== "");
  const fault = pieces.find((piece) => !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain(piece)));
  if (fault !== undefined) return { numbers: [], fault };
  return { numbers: pieces.map((piece) => Number(plain(piece))) };
}

/** Piece with true minus signs replaced by hyphens. */
function plain(piece: string): string {
  return piece.replaceAll("−", "-");
}
