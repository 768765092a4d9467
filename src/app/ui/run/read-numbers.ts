/** Numbers that are typed or pasted, separated by commas, spaces, lines or brackets. */
export interface ReadNumbers {
  readonly numbers: readonly number[];
  /** The first word that is no number. */
  readonly fault?: string;
}

/** Reads numbers in their order; `[[1, −2], [3e1, 4]]` and `1 -2 30 4` are the same. */
export function readNumbers(text: string): ReadNumbers {
  const pieces = text.split(/[\s,;[\]()]+/).filter((piece) => piece !== "");
  const fault = pieces.find((piece) => !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain(piece)));
  if (fault !== undefined) return { numbers: [], fault };
  return { numbers: pieces.map((piece) => Number(plain(piece))) };
}

/** A true minus is one too. */
function plain(piece: string): string {
  return piece.replaceAll("−", "-");
}
