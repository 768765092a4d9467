import { type Checked, failed, passed } from "#core/diagnostics";
import type { Dialect } from "#systems/loom";
import { type Arguments, badRequest } from "./answer.ts";

/** What a request may say beside a LoomGraph. */
export interface LoomOptions {
  readonly planText?: string;
  readonly dialect?: Dialect;
  readonly dtypes?: readonly string[];
}

/** The options of a request that belong to a LoomGraph, or what is wrong with them. */
export function readLoomOptions({ planText, dialect, dtypes }: Arguments): Checked<LoomOptions> {
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

function isDialect(value: unknown): value is Dialect {
  return value === "op" || value === "app";
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
