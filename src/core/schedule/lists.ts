/**
 * Lists of numbers in one array: the list of place `at` is `all[first[at]]` up to before
 * `all[first[at + 1]]`.
 */
export interface Lists {
  readonly first: Int32Array;
  readonly all: Int32Array;
}

/** Writes lists, one place after the other. */
export class ListsWriter {
  private readonly first: Int32Array;
  private readonly all: Int32Array;
  private place = 0;
  private begin = 0;
  private length = 0;

  /** @param most the most numbers of all lists together */
  constructor(places: number, most: number) {
    this.first = new Int32Array(places + 1);
    this.all = new Int32Array(most);
  }

  /** Adds a number to the list of the current place. */
  add(number: number): void {
    this.all[this.length] = number;
    this.length += 1;
  }

  /** Adds a number to the current list unless the list contains it. */
  addOnce(number: number): void {
    for (let at = this.begin; at < this.length; at += 1) if (this.all[at] === number) return;
    this.add(number);
  }

  /** Advances to the next place. */
  next(): void {
    this.place += 1;
    this.first[this.place] = this.length;
    this.begin = this.length;
  }

  finish(): Lists {
    return { first: this.first, all: this.all.subarray(0, this.length) };
  }
}

/** For each number below `count`, the places whose list has it, in order. */
export function placesOf({ first, all }: Lists, count: number): Lists {
  const ends = new Int32Array(count + 1);
  for (const number of all) ends[number + 1] = (ends[number + 1] ?? 0) + 1;
  for (let at = 1; at <= count; at += 1) ends[at] = (ends[at] ?? 0) + (ends[at - 1] ?? 0);
  const next = ends.slice();
  const places = new Int32Array(all.length);
  for (let place = 0; place + 1 < first.length; place += 1) {
    const end = first[place + 1] ?? 0;
    for (let at = first[place] ?? 0; at < end; at += 1) {
      const number = all[at] ?? 0;
      const free = next[number] ?? 0;
      places[free] = place;
      next[number] = free + 1;
    }
  }
  return { first: ends, all: places };
}

/** Whether some number of a place's list passes a test. */
export function someOf({ first, all }: Lists, place: number, is: (number: number) => boolean) {
  const end = first[place + 1] ?? 0;
  for (let at = first[place] ?? 0; at < end; at += 1) if (is(all[at] ?? 0)) return true;
  return false;
}

/** Length of the list at a place. */
export function countOf({ first }: Lists, place: number): number {
  return (first[place + 1] ?? 0) - (first[place] ?? 0);
}

/** The largest figure over a place's list, at least `least`. */
export function mostOf(
  { first, all }: Lists,
  place: number,
  least: number,
  figureOf: (number: number) => number,
): number {
  let most = least;
  const end = first[place + 1] ?? 0;
  for (let at = first[place] ?? 0; at < end; at += 1) most = Math.max(most, figureOf(all[at] ?? 0));
  return most;
}

/** The smallest figure over a place's list, at most `most`. */
export function leastOf(
  { first, all }: Lists,
  place: number,
  most: number,
  figureOf: (number: number) => number,
): number {
  let least = most;
  const end = first[place + 1] ?? 0;
  for (let at = first[place] ?? 0; at < end; at += 1)
    least = Math.min(least, figureOf(all[at] ?? 0));
  return least;
}
