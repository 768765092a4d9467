import { type Compiled, compileDocument } from "#compile";
import type { Operator, Tensor } from "#core/ir";
import type { Document } from "#language/document";
import { type Grammar, type NameUse, namesOf, type Token, tokensOf } from "#language/tokens";
import { readDocument } from "#systems";

/** All facts of one text: the document, the compiled result, tokens and names. */
export interface Facts {
  readonly source: string;
  readonly document: Document;
  readonly compiled: Compiled;
  readonly tokens: readonly Token[];
  readonly names: readonly NameUse[];
  /** The facts of another version of the text. */
  readonly reread: (source: string) => Facts;
}

/** The functions that derive facts; implementations may cache versions of an edited text. */
export interface FactSource {
  readonly read: (source: string) => Document;
  readonly compile: (document: Document) => Compiled;
  readonly grammar: Pick<Grammar, "tokensOf" | "namesOf">;
  readonly reread: (source: string) => Facts;
}

const fresh: FactSource = {
  read: readDocument,
  compile: compileDocument,
  grammar: { tokensOf, namesOf: (source) => namesOf(source) },
  reread: (source) => factsOf(source),
};

/**
 * The facts of a text; for a text with errors, those of its sound parts. Tokens and names are
 * computed on demand.
 */
export function factsOf(
  source: string,
  { read, compile, grammar, reread }: FactSource = fresh,
): Facts {
  const document = read(source);
  const compiled = compile(document);
  let tokens: readonly Token[] | undefined;
  let names: readonly NameUse[] | undefined;
  return {
    source,
    document,
    compiled,
    reread,
    get tokens() {
      tokens ??= grammar.tokensOf(source);
      return tokens;
    },
    get names() {
      names ??= grammar.namesOf(source);
      return names;
    },
  };
}

/** The names that the text binds, in any scope. */
export function boundNames({ names }: Facts): ReadonlySet<string> {
  return new Set(names.filter(({ isBinding }) => isBinding).map(({ name }) => name));
}

export function tensorNamed(facts: Facts, name: string): Tensor | undefined {
  return facts.compiled.graph.tensors.find((tensor) => tensor.name === name);
}

/** A tensor's name without its module path and its number: `h` of `layers[3].h#2`. */
export function baseName(name: string): string {
  return name.replace(/#\d+$/, "").replace(/^.*\./, "");
}

/** Operators of the text, without those of a training step, in program order. */
export function writtenOperators({ compiled }: Facts): readonly Operator[] {
  return compiled.graph.operators.filter((operator) => operator.of === undefined);
}

/** The operators whose call begins at an offset. */
export function operatorsFrom(facts: Facts, from: number): readonly Operator[] {
  return writtenOperators(facts).filter(({ span }) => span?.from === from);
}
