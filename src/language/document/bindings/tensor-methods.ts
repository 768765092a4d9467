import type { Span } from "#core/diagnostics";
import { library } from "#core/ir";
import { fieldOf } from "#core/records";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { assumedOf, unknownFact } from "./assumed.ts";
import { knownCondition, sayBranch, sayCountOfData } from "./branch-on-data.ts";
import { isExpertIndex } from "./expert-index.ts";
import { choosing } from "./expert-keys.ts";
import { extremeWord } from "./extremes.ts";
import { requireKeywords, typedAs } from "./keyword-checks.ts";
import { knownList, knownNumber } from "./known-numbers.ts";
import { updateWhere } from "./masked-update.ts";
import { needsShapes } from "./needs-shapes.ts";
import { setData } from "./set-checks.ts";
import type { TensorAccess, TensorCalls } from "./tensor-calls.ts";
import { factOf, sizesOf, transposed } from "./tensor-facts.ts";
import { indexTensor, isUnknownValue, setElements } from "./tensor-index.ts";
import { isNoOperand, isQuestion, operated, unaryOf } from "./tensor-operators.ts";
import { rowsOf, unknownLength } from "./tensor-rows.ts";
import { dtypeOf, typeSaid } from "./types/dtype-values.ts";
import { casts, castTo, typeIn } from "./types/tensor-casts.ts";
import { requireTaken, requireUpdate } from "./value-checks.ts";
import { float, hostFunction, integer, itemsOf, text } from "./values/values.ts";

/** What a program can do with a tensor: operators, indexing, and methods of the library's names. */
export function tensorType(words: TensorCalls): HostType {
  const said = new Set<number>();
  return {
    name: "Tensor",
    attribute: (self, name, context, span) => attributeOf({ words, self, name, span }, context),
    // The result of an unknown function may be callable; the result of its call is unknown too.
    calledAnyway: (self, args, context, span) => {
      if (!isUnknownValue(words, self)) return undefined;
      const given = [self, ...args.map(({ value }) => value)];
      return words.unknownResult("call", given, context, span);
    },
    binary: (self, operator, other, reflected, context, span) => {
      if (operator === "==" && isExpertIndex(other))
        return choosing(words, self, other, context, span);
      if (isQuestion(operator, other, words) || isNoOperand(other, words, self)) return undefined;
      const pair: readonly [Value, Value] = reflected ? [other, self] : [self, other];
      const own = itemsOf(other) && words.systems.besideList(operator, pair, context, span);
      if (own) return own;
      const result = operated(words, operator, pair, context, span);
      if (operator === "==") words.experts.note(other, result);
      return result;
    },
    update: (...asked) => updated(words, ...asked),
    unary: (...asked) => unaryOf(words, ...asked),
    item: (self, key, context, span) => {
      const tensor = words.tensorOf(self);
      const own = tensor && words.systems.item(tensor, self, key, context, span);
      return own ?? indexTensor(words, self, key, context, span);
    },
    updateItem: (self, ...asked) => updateWhere(words, self, ...asked),
    setItem: (self, key, value, context, span) => {
      const tensor = words.tensorOf(self);
      const own = tensor && words.systems.setItem(tensor, self, [key, value], context, span);
      return own ?? setElements(words, self, [key, value], context, span);
    },
    setAttribute: (self, name, value, ...at) =>
      name === "data" ? setData(words, self, value, ...at) : words.setExtra(self, name, value),
    number: (self, as, context, span) => numberFrom(words, self, as, context, span),
    iterate: (self, context, span) => rowsOf(words, self, context, span),
    unpack: (self, count, context, span) => {
      const tensor = words.tensorOf(self);
      const own = tensor && words.systems.parts(tensor, self, count, context, span);
      return own ?? rowsOf(words, self, context, span, count);
    },
    truth: (self, context, span) => {
      const decided = knownCondition(words.tensorOf(self), words.draws, (message) =>
        context.report({ code: "document/branch-on-data", severity: "info", message, span }),
      );
      if (decided !== undefined) return decided;
      requireTaken(words, self, ["__bool__", []], { context, span });
      words.experts.leaveRoundOf(words.tensorOf(self));
      const ofExpert = words.experts.rows.holds(self);
      if (ofExpert !== undefined) return ofExpert;
      words.refuse("what it does depends on the values of a tensor", context, span);
      return sayBranch(context, span, said);
    },
    length: (self, context, span) => {
      if (!isUnknownValue(words, self)) return sizesOf(words.tensorOf(self))?.[0];
      return unknownLength(words, self, context, span);
    },
    text: (self) => words.tensorOf(self)?.name?.text ?? "tensor",
  };
}

/** `x op= value`: the tensor itself, which is another one from then on, or what its system says. */
function updated(
  words: TensorCalls,
  ...[self, operator, other, context, span]: Parameters<NonNullable<HostType["update"]>>
): Value | undefined {
  if (isNoOperand(other, words, self)) return undefined;
  requireUpdate(words, self, operator, other, { context, span });
  const own = itemsOf(other) && words.systems.besideList(operator, [self, other], context, span);
  if (own) return own;
  // In place the shape stays, whatever the other is.
  const operand = assumedOf(other) === undefined ? other : unknownFact(context.text(other));
  const result = operated(words, operator, [self, operand], context, span);
  if (result === undefined) return undefined;
  const made = words.tensorOf(result)?.producer;
  if (made !== undefined) made.isUpdate = true;
  const held = words.systems.update(self, result, context, span);
  if (held !== undefined) return held;
  words.replace(self, result);
  return self;
}

/** A tensor where a number is wanted: one that stands in the text, else a scalar, or a place of 0. */
function numberFrom(
  words: TensorCalls,
  self: HostObject,
  as: string,
  context: Context,
  span: Span,
): Value {
  const picked = knownNumber(words.tensorOf(self));
  if (picked !== undefined) return as === "float" ? float(picked) : integer(Math.trunc(picked));
  if (as !== "index") {
    if (words.isScalar(self)) return self;
    const item = attributeOf({ words, self, name: "item", span }, context);
    return item === undefined ? words.scalar(self) : context.call(item, [], span);
  }
  words.refuse("a count depends on the values of a tensor", context, span);
  sayCountOfData(context, span);
  return integer(0);
}

function attributeOf(
  { words, self, name, span }: Omit<TensorAccess, "tensor">,
  context: Context,
): Value | undefined {
  if (name === "__index_with__")
    return hostFunction(name, ([key], inner, at) =>
      key === undefined ? self : (indexTensor(words, self, key.value, inner, at) ?? self),
    );
  if (name === "__deepcopy__")
    return hostFunction(name, (_, inner, at) => words.copyOf(self, inner, at));
  const tensor = words.tensorOf(self);
  if (tensor === undefined || name.startsWith("__")) return undefined;
  const access = { words, self, tensor, name, span };
  const counts = name === "tolist" ? words.experts.parts.countsOf(self) : undefined;
  if (counts !== undefined) return hostFunction(name, () => counts);
  return (
    words.extra(self, name) ??
    (name === "tolist"
      ? listOf(access, words.systems.attribute(access, context))
      : words.systems.attribute(access, context)) ??
    factOf(access, context) ??
    method(access)
  );
}

/** `tolist`, which gives numbers where they follow from the text. */
function listOf({ words, tensor, name }: TensorAccess, own: Value | undefined): Value | undefined {
  if (own === undefined || words.isInBody) return own;
  return hostFunction(name, (args, context, span) => {
    const list = args.length === 0 ? knownList(tensor) : undefined;
    return list ?? context.call(own, args, span);
  });
}

/** Methods that give the tensor in the data type that an argument says. */
const castWords: ReadonlySet<string> = new Set(["to", "astype", "type", "type_as"]);

function method(access: TensorAccess): Value {
  const { words, self, name, span } = access;
  if (name === "item")
    return hostFunction(name, () => {
      const tensor = words.tensorOf(self);
      const picked = knownNumber(tensor);
      if (picked === undefined) return words.scalar(self);
      return /^[iu]\d/u.test(tensor?.dtype ?? "") ? integer(picked) : float(picked);
    });

  if (name === "t")
    return hostFunction(name, (args, context, at) => {
      requireTaken(words, self, [name, args], { context, span: at });
      return transposed(access, Math.min(2, sizesOf(access.tensor)?.length ?? 2), context, at);
    });
  const cast = fieldOf(casts, name);
  if (cast !== undefined || castWords.has(name)) {
    return hostFunction(name, (args, context, at) =>
      castTo(
        words,
        self,
        cast === undefined ? typeIn(words, args) : typeSaid(text(cast)),
        context,
        at,
      ),
    );
  }
  if (name === "max" || name === "min") return extremeWord(words, name, [{ value: self, span }]);
  return operatorMethod(access);
}

/** A method of the name of a library operator, or one that the systems may know. */
function operatorMethod({ words, self, name, span }: TensorAccess): Value {
  const receiver = { value: self, span };
  const op = library.has(name) ? name : name.replace(/_$/, "");
  const entry = library.get(op);
  const isKnown = entry !== undefined || words.isInBody || words.systems.hasMethod(name);
  if (!isKnown) return words.systems.unknownMember(self, name);
  const isOther = (args: readonly Argument[]) =>
    !words.isInBody && needsShapes(name, args, (each) => sizesOf(words.tensorOf(each)));
  const forms = words.systems.argumentForms;
  return hostFunction(name, (written, context, at) => {
    // The library's own texts know what they call.
    const isOwn = words.isInBody || at.from < 0;
    const args = isOwn ? written : forms.usualNames(name, "method", written);
    const refused = isOwn ? undefined : words.systems.refused(name, args, words, self);
    if (refused !== undefined) return context.raise(...refused, at);
    const isCast = name === "view" && dtypeOf(args[0]?.value) !== undefined;
    if (entry === undefined || isCast || isOther([receiver, ...args])) {
      const called = isCast ? "view_dtype" : name;
      const other = words.systems.call(called, [receiver, ...args], context, at);
      if (!name.endsWith("_") || words.tensorOf(other) === undefined) return other;
      words.replace(self, other);
      return words.isParameter(self) ? other : self;
    }
    requireKeywords(op, entry, forms.keywordsOf(op), args, context);
    const given = forms.asEntryTakesThem(op, entry, [receiver, ...args]);
    const made = words.call(entry, { op, reducesInside: false }, given, context, at);
    const result = forms.named(op, typedAs(words, given, made));
    if (op === name) return result;
    words.replace(self, result);
    return words.isParameter(self) ? result : self;
  });
}
