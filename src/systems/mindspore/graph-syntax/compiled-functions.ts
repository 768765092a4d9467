import type {
  ClassValue,
  FunctionNode,
  FunctionValue,
  InstanceValue,
  Statement,
} from "#language/python";

/** The functions of a text by the position of their names, and those of the module also by name. */
export interface Functions {
  readonly byPlace: ReadonlyMap<number, FunctionNode>;
  readonly byName: ReadonlyMap<string, FunctionNode>;
}

/** The functions that the statements of a text define, in classes too. */
export function functionsIn(statements: readonly Statement[]): Functions {
  const byPlace = new Map<number, FunctionNode>();
  const byName = new Map<string, FunctionNode>();
  for (const each of statements) {
    if (each.kind === "function") {
      byName.set(each.definition.name, each.definition);
      byPlace.set(each.definition.nameSpan.from, each.definition);
    } else if (each.kind === "class") {
      for (const [place, found] of functionsIn(each.definition.body).byPlace)
        byPlace.set(place, found);
    }
  }
  return { byPlace, byName };
}

/**
 * The functions that MindSpore compiles for a cell: its `construct`, and those of the text that it
 * calls.
 */
export function compiledOf(
  cell: InstanceValue,
  source: string,
  functions: Functions,
): readonly FunctionNode[] {
  const nodeOf = (name: string) => {
    const found = methodOf(cell.type, name);
    if (found === undefined) return undefined;
    const { from, to } = found.nameSpan;
    return source.slice(from, to) === name ? functions.byPlace.get(from) : undefined;
  };
  const open: (FunctionNode | undefined)[] = [nodeOf("construct")];
  const done = new Set<FunctionNode>();
  for (const node of open) {
    if (node === undefined || done.has(node) || isRunByPython(node)) continue;
    done.add(node);
    const text = source.slice(node.bodySpan.from, node.bodySpan.to);
    for (const [, name = ""] of text.matchAll(/\bself\.(\w+)\(/gu)) open.push(nodeOf(name));
    for (const [, name = ""] of text.matchAll(/(?<![\w.])(\w+)\(/gu))
      open.push(functions.byName.get(name));
  }
  return [...done];
}

/** The method of a class by this name; `undefined` if it is something else. */
export function methodOf({ mro }: ClassValue, name: string): FunctionValue | undefined {
  for (const { attributes } of mro) {
    const found = attributes.get(name);
    if (found?.kind === "function") return found;
    if (found !== undefined) return undefined;
  }
  return undefined;
}

/** Whether a decorator such as `@constexpr` makes Python run a function. */
function isRunByPython({ decorators }: FunctionNode): boolean {
  return decorators.some((each) => {
    const called = each.kind === "call" ? each.callee : each;
    const name = called.kind === "name" || called.kind === "attribute" ? called.name : "";
    return !/^(jit|lazy_inline|ms_function|cell_attr_register)$/u.test(name);
  });
}
