import type { Span } from "#core/diagnostics";
import { formatValue } from "../library/format.ts";
import type { FormatPart } from "../reading/syntax.ts";
import type { Runtime } from "../values/runtime.ts";
import { asciiOf, reprOf, textOf } from "../values/text.ts";
import type { Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import type { Environment, Evaluate, Scope } from "./scope.ts";

/** An f-string. */
export function compileFormat(
  compiler: Compiler,
  scope: Scope,
  parts: readonly FormatPart[],
  span: Span,
): Evaluate {
  const { rt } = compiler;
  const write = writer(compiler, scope, parts);
  return (environment) => {
    const value = write(environment);
    rt.allocateText(value.length, span);
    return { kind: "str", value };
  };
}

function writer(
  compiler: Compiler,
  scope: Scope,
  parts: readonly FormatPart[],
): (environment: Environment) => string {
  const { rt } = compiler;
  const writers = parts.map((part) => {
    if (typeof part === "string") return () => part;
    const { conversion } = part;
    const { span } = part.value;
    const value = compiler.expression(scope, part.value);
    const specification =
      part.specification === undefined ? () => "" : writer(compiler, scope, part.specification);
    return (environment: Environment) => {
      const shown = converted(rt, value(environment), conversion, span);
      return formatValue(rt, shown, specification(environment), span);
    };
  });
  return (environment) => writers.map((write) => write(environment)).join("");
}

function converted(
  rt: Runtime,
  value: Value,
  conversion: "s" | "r" | "a" | undefined,
  span: Span,
): Value {
  if (conversion === undefined) return value;
  const text = conversion === "s" ? textOf(rt, value, span) : reprOf(rt, value, span);
  return { kind: "str", value: conversion === "a" ? asciiOf(text) : text };
}
