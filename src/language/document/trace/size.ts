import { leastCommonMultiple } from "#core/arithmetic";
/**
 * Size of a dim during the reading of a program: a number, or a variable while it is not known.
 *
 * Variables that must be equal form a class (union-find). A class gets a size when one of its
 * members is unified with a number, else at the end a default that all its divisors divide.
 */
export type Size = number | SizeVariable;

/** One variable of a class of equal sizes. */
export interface SizeVariable {
  parent?: SizeVariable;
  known?: number;
  /** Numbers that must divide the size of the class. */
  divisors: number[];
  /** Products that the size equals, e.g. of a bracket's identifiers; at most `mostProducts`. */
  products?: readonly (readonly Size[])[];
  /** Whether the size is a default that nothing in the text determines. */
  isDefault?: boolean;
}

/** Most products kept per class: a loop of calls makes thousands, mostly alike. */
const mostProducts = 8;

/** Smallest default of an open size. */
const leastDefault = 8;

/** A new variable, equal to no other one and without divisors. */
export function freshSize(): SizeVariable {
  return { divisors: [] };
}

/** A default size that is known from the start, so that dims unified with it know it. */
export function assumedSize(size: number): SizeVariable {
  return { divisors: [], known: size, isDefault: true };
}

/** Whether a number satisfies all divisors required of a size. */
export function divides(size: Size, whole: number): boolean {
  return typeof size === "number" || rootOf(size).divisors.every((each) => whole % each === 0);
}

/** Shape of `rank` open sizes; leading ones may be given. */
export function openShape(
  { leading = [] }: { readonly leading?: readonly Size[] | undefined },
  rank: number,
): Size[] {
  return Array.from({ length: rank }, (_, dim) => leading[dim] ?? freshSize());
}

/** Whether all sizes are numbers. */
export function areNumbers(sizes: readonly Size[]): sizes is readonly number[] {
  for (const size of sizes) if (typeof size !== "number") return false;
  return true;
}

/** Number of a size; `undefined` while it is open. */
export function knownSize(size: Size): number | undefined {
  return typeof size === "number" ? size : rootOf(size).known;
}

/** Makes two sizes equal; false when both are known and differ. */
export function unify(a: Size, b: Size): boolean {
  if (typeof a === "number" && typeof b === "number") return a === b;
  if (typeof a === "number") return typeof b === "number" || fix(b, a);
  if (typeof b === "number") return fix(a, b);
  return join(rootOf(a), rootOf(b));
}

/** Requires that an open size is divisible by `pieces`; a number is left unchecked. */
export function requireDivisor(size: Size, pieces: number): void {
  if (typeof size !== "number") rootOf(size).divisors.push(pieces);
}

/**
 * Final size: the known one, else a product whose factors the text determines, else the least
 * common multiple of its products, else the smallest default that its divisors divide.
 */
export function settle(size: Size): number {
  if (typeof size === "number") return size;
  const root = rootOf(size);
  if (root.known !== undefined) return root.known;
  const { products = [] } = root;
  const said = products.find((product) => !product.some(isDefault));
  root.isDefault = said === undefined;
  const counted = said ?? (products.length === 1 ? products[0] : undefined);
  settleAs(root, counted?.map(settle).reduce((n, m) => n * m, 1) ?? openSize(root));
  return settle(root);
}

/** Smallest default of an open class, from its products and divisors. */
function openSize({ products = [], divisors }: SizeVariable): number {
  const whole = products.map((product) =>
    product.reduce<number>((n, factor) => n * (knownSize(factor) ?? openSizeOf(factor)), 1),
  );
  return whole.length === 0 ? defaultSize(divisors) : whole.reduce(leastCommonMultiple);
}

function openSizeOf(size: Size): number {
  return typeof size === "number" ? size : openSize(rootOf(size));
}

/** Whether a size is open or a default, so that nothing in the text determines it. */
export function isDefault(size: Size): boolean {
  if (typeof size === "number") return false;
  const { known, isDefault: isSettled, products = [] } = rootOf(size);
  if (known !== undefined) return isSettled === true;
  return products.every((product) => product.some(isDefault));
}

/**
 * Gives an open factor of a known size a value: the least above 1 that its divisors divide and that
 * divides `whole`, else `whole`.
 */
export function settleFactor(factor: Size, whole: number): void {
  if (typeof factor === "number") return;
  const root = rootOf(factor);
  if (root.known === undefined) settleAs(root, leastFactor(root, whole));
}

function leastFactor({ divisors }: SizeVariable, whole: number): number {
  const step = divisors.filter((divisor) => divisor > 0).reduce(leastCommonMultiple, 1);
  const limit = Math.min(whole, 4096);
  for (let size = Math.max(2, step); size <= limit; size += 1) {
    if (size % step === 0 && whole % size === 0) return size;
  }
  return Math.max(1, whole);
}

function settleAs(root: SizeVariable, size: number): void {
  root.known = size;
  for (const product of root.products ?? []) shareOut(product, size);
}

/**
 * Gives the open factors of a product values whose product is `whole`; the last one takes the rest.
 * Factors stay open when no such values exist.
 */
function shareOut(product: readonly Size[], whole: number): void {
  let rest = product.reduce<number>((left, factor) => left / (knownSize(factor) ?? 1), whole);
  const roots = product.flatMap((each) => (typeof each === "number" ? [] : [rootOf(each)]));
  const open = roots.filter(({ known }) => known === undefined);
  const once = open.filter((factor) => open.indexOf(factor) === open.lastIndexOf(factor));
  for (const factor of open) if (!once.includes(factor)) rest /= settle(factor);
  for (const [at, factor] of once.entries()) {
    if (!Number.isInteger(rest)) return;
    settleAs(factor, at === once.length - 1 ? rest : factorOf(rest, factor));
    rest /= settle(factor);
  }
}

/** Default of an open factor if it divides `whole`, else its least possible value that does. */
function factorOf(whole: number, factor: SizeVariable): number {
  const size = openSize(factor);
  return whole % size === 0 ? size : leastFactor(factor, whole);
}

/** Number for computations while a size is open: the known one, else the smallest default. */
export function provisional(size: Size): number {
  return knownSize(size) ?? leastDefault;
}

function fix(variable: SizeVariable, size: number): boolean {
  const root = rootOf(variable);
  if (root.known !== undefined) return root.known === size;
  root.known = size;
  return true;
}

/**
 * Unifies two classes. A product that contains the class it equals, as in N = a·b with N = a, means
 * that its other factors are 1. It is not kept, since it would be its own factor.
 */
function join(a: SizeVariable, b: SizeVariable): boolean {
  if (a === b) return true;
  const agrees = a.known === undefined || b.known === undefined || a.known === b.known;
  const products = [...(a.products ?? []), ...(b.products ?? [])];
  b.parent = a;
  delete a.products;
  delete b.products;
  if (a.known === undefined && b.known !== undefined) {
    a.known = b.known;
    if (b.isDefault !== undefined) a.isDefault = b.isDefault;
  }
  a.divisors.push(...b.divisors);
  const circular = products.filter((product) => holds(product, a));
  const kept = products.filter((each) => !circular.includes(each));
  if (kept.length > 0) a.products = kept.slice(0, mostProducts);
  return circular.map((each) => leaveOnly(a, each)).every(Boolean) && agrees;
}

/** Whether a class is a factor of a product, directly or through products of its factors. */
function holds(product: readonly Size[], sought: SizeVariable, seen = new Set<Size>()): boolean {
  return product.some((factor) => {
    if (typeof factor === "number") return false;
    const root = rootOf(factor);
    if (root === sought) return true;
    if (seen.has(root)) return false;
    seen.add(root);
    return root.products?.some((inner) => holds(inner, sought, seen)) === true;
  });
}

/**
 * Unifies a class with the factor that is or contains it and makes all other factors 1; false on a
 * contradiction.
 */
function leaveOnly(kept: SizeVariable, product: readonly Size[]): boolean {
  const at = product.findIndex((factor) => holds([factor], kept));
  return product
    .map((factor, index) => (index === at ? unify(kept, factor) : makeOne(factor)))
    .every(Boolean);
}

function makeOne(size: Size): boolean {
  if (typeof size === "number") return size === 1;
  const { products = [] } = rootOf(size);
  return [fix(size, 1), ...products.flat().map(makeOne)].every(Boolean);
}

function rootOf(variable: SizeVariable): SizeVariable {
  let root = variable;
  while (root.parent !== undefined) root = root.parent;
  return root;
}

function defaultSize(divisors: readonly number[]): number {
  const step = divisors.filter((divisor) => divisor > 0).reduce(leastCommonMultiple, 1);
  return step * Math.max(1, Math.ceil(leastDefault / step));
}
