/** Python's keywords and the words used by written programs: no value may have such a name. */
const reserved = [
  "torch F mesh Mesh Tensor Parameter place layout strategy",
  "and as assert async await break class continue def del elif else except finally for from global",
  "if import in is lambda nonlocal not or pass raise return try while with yield None True False",
  "range float int sum max min abs pow round len list tuple zip map all any print train pin shapes",
  "stage reshard",
].flatMap((line) => line.split(" "));

/** Taken names, with the last number appended to each. */
export type TakenNames = Map<string, number>;

/** The reserved names, and `more` besides. */
export function takenNames(more: Iterable<string> = []): TakenNames {
  return new Map([...reserved, ...more].map((each) => [each, 1]));
}

/** Most characters of a name; a longer word keeps its end, which is the distinctive part. */
const longestName = 80;

/** A program name for a word of a file, numbered if the name is taken. */
export function nameFor(names: TakenNames, word: string): string {
  const plain = word
    .replaceAll(/[^A-Za-z0-9]+/gu, "_")
    .replaceAll(/^_+|_+$/gu, "")
    .slice(-longestName);
  return numbered(names, /^[A-Za-z]/u.test(plain) ? plain : `v_${plain}`);
}

/** A unique name: the word itself if free, else with a number appended. */
export function numbered(names: TakenNames, word: string): string {
  let count = (names.get(word) ?? 0) + 1;
  let name = count === 1 ? word : `${word}_${count}`;
  while (names.has(name)) {
    count += 1;
    name = `${word}_${count}`;
  }
  names.set(word, count);
  names.set(name, 1);
  return name;
}
