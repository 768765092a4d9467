import { product, sum } from "#core/arithmetic";
import { type Checked, failed, passed } from "#core/diagnostics";

/** A formula of memory over the named sums of a plan. It never falls when a sum grows. */
export type MemoryFormula =
  | { readonly kind: "sum"; readonly name: string }
  | { readonly kind: "number"; readonly value: number }
  | {
      readonly kind: "add" | "multiply" | "max";
      readonly parts: readonly MemoryFormula[];
    };

/** Reads `persistent + max(saved, 2 * optimizer)`: names, numbers, `+`, `*`, `max` and brackets. */
export function parseMemoryFormula(text: string): Checked<MemoryFormula> {
  const tokens = text.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/gu) ?? [];
  const reader = new FormulaReader(tokens);
  const formula = reader.sum();
  if (formula !== undefined && reader.isAtEnd()) return passed(formula);
  return failed({
    code: "planner/memory-formula",
    severity: "error",
    message: `"${text}" is no formula of names, numbers, "+", "*" and "max(…)"`,
  });
}

/** The names that a formula sums over. */
export function namesIn(formula: MemoryFormula): readonly string[] {
  if (formula.kind === "number") return [];
  return formula.kind === "sum" ? [formula.name] : [...new Set(formula.parts.flatMap(namesIn))];
}

/** The value of a formula, given the sum of each name. */
export function memoryOf(formula: MemoryFormula, sumOf: (name: string) => number): number {
  if (formula.kind === "number") return formula.value;
  if (formula.kind === "sum") return sumOf(formula.name);
  const values = formula.parts.map((part) => memoryOf(part, sumOf));
  if (formula.kind === "max") return Math.max(...values);
  return formula.kind === "add" ? sum(values) : product(values);
}

/** Reads tokens from left to right; `undefined` for text that does not fit. */
class FormulaReader {
  private readonly tokens: readonly string[];
  private at = 0;

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  sum(): MemoryFormula | undefined {
    return this.list("add", "+", () => this.list("multiply", "*", () => this.atom()));
  }

  private list(
    kind: "add" | "multiply" | "max",
    separator: string,
    read: () => MemoryFormula | undefined,
  ): MemoryFormula | undefined {
    const parts: MemoryFormula[] = [];
    do {
      const part = read();
      if (part === undefined) return undefined;
      parts.push(part);
    } while (this.take(separator));
    return parts.length === 1 ? parts[0] : { kind, parts };
  }

  private atom(): MemoryFormula | undefined {
    const token = this.tokens[this.at] ?? "";
    if (this.take("(")) return this.closed(this.sum());
    if (!/^\w/u.test(token)) return undefined;
    this.at += 1;
    if (/^\d/u.test(token)) return { kind: "number", value: Number(token) };
    if (token !== "max" || !this.take("(")) return { kind: "sum", name: token };
    return this.closed(this.list("max", ",", () => this.sum()));
  }

  private closed(formula: MemoryFormula | undefined): MemoryFormula | undefined {
    return this.take(")") ? formula : undefined;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at += 1;
    return true;
  }
}
