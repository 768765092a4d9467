/** All numbers added up; 0 of none. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** All numbers multiplied, as the elements of a shape are counted; 1 of none. */
export function product(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total * each, 1);
}
