/** Sum of the numbers; 0 for an empty list. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Product of the numbers, such as the number of elements of a shape; 1 for an empty list. */
export function product(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total * each, 1);
}
