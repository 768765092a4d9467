import { type Checked, failed, passed } from "#core/diagnostics";
import { splitTexts } from "#language/texts";
import type { GraphDialect } from "#systems/system/graph";
import { type Arguments, badRequest } from "./answer.ts";

/** A program; for a graph also its plan text. */
export interface RequestTexts {
  readonly program: string;
  readonly planText?: string;
}

/** The texts of a request. A graph's plan may be part of its own text, as editors keep it. */
export function requestTexts({ program, planText }: Arguments): RequestTexts {
  const text = typeof program === "string" ? program : "";
  if (typeof planText === "string") return { program: text, planText };
  const texts = splitTexts(text);
  return texts === undefined || texts.plan === ""
    ? { program: text }
    : { program: texts.json, planText: texts.plan };
}

/** Options of a request that only a graph has. */
export interface GraphOptions {
  readonly planText?: string;
  readonly dialect?: GraphDialect;
  readonly dtypes?: readonly string[];
}

/** Reads a request's graph options, or says which is malformed. */
export function readGraphOptions({ planText, dialect, dtypes }: Arguments): Checked<GraphOptions> {
  if (planText !== undefined && typeof planText !== "string") {
    return refused('"planText" must be a text');
  }
  if (dialect !== undefined && !isDialect(dialect)) {
    return refused('"dialect" must be "op" or "app"');
  }
  if (dtypes !== undefined && !isTextList(dtypes)) {
    return refused('"dtypes" must be a list of texts');
  }
  return passed({
    ...(planText !== undefined && { planText }),
    ...(dialect !== undefined && { dialect }),
    ...(dtypes !== undefined && { dtypes }),
  });
}

function isDialect(value: unknown): value is GraphDialect {
  return value === "op" || value === "app";
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
