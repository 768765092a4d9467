import type { Operation } from "./mlir.ts";
import { torchDtype } from "./types.ts";
import { tensorValue, type Value, wholeText } from "./values.ts";
import { bind, freshName, type Writer, wordOf } from "./writer.ts";

/**
 * Writes an unsupported operation as a registered function with the file's shapes, and counts it by
 * name. Only dims named by `dimName` can be cut.
 */
export function opaque(
  writer: Writer,
  operation: Operation,
  operands: readonly Value[],
  dimName: (side: "in" | "out", at: number, dim: number) => string | undefined = () => undefined,
): readonly Value[] {
  const name = knownAs(operation);
  writer.unknown.set(name, (writer.unknown.get(name) ?? 0) + 1);
  const given = operands.filter(({ kind, type }) => kind === "tensor" && type.dtype !== "token");
  const types = operation.resultTypes.filter((each) => each !== undefined);
  const inputs =
    given.length > 0
      ? given.map(({ type }, at) => dimsOf(type.shape, (dim) => dimName("in", at, dim)))
      : ["1^"];
  const annotation = `${inputs.join(", ")} -> ${types.map(({ shape }, at) => dimsOf(shape, (dim) => dimName("out", at, dim))).join(", ")}`;
  const called = functionFor(writer, name, annotation, inputs.length);
  const texts = given.length > 0 ? given.map(wholeText) : ["torch.full((1,), 0.0)"];
  const call = `${called}(${texts.join(", ")})`;
  const own = given[0]?.type.dtype ?? "f32";
  const names = types.map(() => freshName(writer, wordOf(operation)));
  if (names.length === 0) writer.lines.push(call);
  else writer.lines.push(`${names.join(", ")} = ${call}`);
  const made = types.map((type, at): Value => {
    const word = torchDtype(type.dtype);
    const name = names[at] ?? "";
    if (type.dtype === own || word === undefined) return tensorValue(name, type);
    return bind(writer, operation, `${name}.to(${word})`, type);
  });
  let next = 0;
  return operation.resultTypes.map((type) => {
    const value = type === undefined ? undefined : made[next++];
    return value ?? tensorValue(texts[0] ?? "", { shape: [], dtype: "token" });
  });
}

/** Name for messages; `stablehlo.custom_call @TopK` includes its target. */
function knownAs({ name, text }: Operation): string {
  const target = name.endsWith("custom_call") ? /@([\w.$-]+)/u.exec(text)?.[1] : undefined;
  return target === undefined ? name : `${name} @${target}`;
}

/** Dims of an annotation: frozen sizes, and names for the dims that may be cut. */
function dimsOf(shape: readonly number[], nameOf: (dim: number) => string | undefined): string {
  return shape.length === 0 ? "1^" : shape.map((size, dim) => nameOf(dim) ?? `${size}^`).join(" ");
}

function functionFor(writer: Writer, name: string, annotation: string, count: number): string {
  const key = `${name}: ${annotation}`;
  const known = writer.opaque.get(key);
  if (known !== undefined) return known;
  const called = freshName(writer, name.split(/[.@]/u).at(-1) ?? name);
  const parameters = Array.from({ length: count }, (_, at) => `x${at}`);
  writer.functions.push(
    `# ${name}: no operator here stands for it, so nothing of it is cut.`,
    `# annotation: ${annotation}`,
    `def ${called}(${parameters.join(", ")}):`,
    "    ...",
    "",
  );
  writer.opaque.set(key, called);
  return called;
}
