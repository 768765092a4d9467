/** Words of Python, and those that a program is written with: no value is called so. */
const reserved = [
  "torch F mesh Mesh Tensor Parameter place layout strategy",
  "and as assert async await break class continue def del elif else except finally for from global",
  "if import in is lambda nonlocal not or pass raise return try while with yield None True False",
  "range float int sum max min abs pow round len list tuple zip map all any print train pin shapes",
  "stage reshard",
].flatMap((line) => line.split(" "));

/** Names that are taken, with the last number that each had behind it. */
export type TakenNames = Map<string, number>;

/** The names that no value of a program may have, `more` of them besides those of the language. */
export function takenNames(more: Iterable<string> = []): TakenNames {
  return new Map([...reserved, ...more].map((each) => [each, 1]));
}

/** Most characters of a name: of a longer one its end tells it apart. */
const longestName = 80;

/** A name of the program for a word of a file; a second one of the same letters has a number. */
export function nameFor(names: TakenNames, word: string): string {
  const plain = word
    .replaceAll(/[^A-Za-z0-9]+/gu, "_")
    .replaceAll(/^_+|_+$/gu, "")
    .slice(-longestName);
  return numbered(names, /^[A-Za-z]/u.test(plain) ? plain : `v_${plain}`);
}

/** A name that no other value has: the word itself where it is free, else with a number behind it. */
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
