import { type Checked, failed, passed } from "#core/diagnostics";
import type { AxisName, Link } from "#core/mesh";
import { badRequest } from "./answer.ts";

/** Links by the name of a mesh axis. */
export function readLinks(links: unknown): Checked<Readonly<Record<AxisName, Link>>> {
  if (typeof links !== "object" || links === null) return refused('"links" must be an object');
  const entries = Object.entries(links);
  const bad = entries.find(([, link]) => !isLink(link));
  return bad === undefined
    ? passed(Object.fromEntries(entries))
    : refused(`the link of "${bad[0]}" needs a latency of 0 or more and a bandwidth above 0`);
}

const fabrics: readonly unknown[] = [undefined, "switch", "ring", "line", "two-level"];

function isLink(value: unknown): value is Link {
  if (typeof value !== "object" || value === null) return false;
  const { latency, bandwidth, fabric } = value as Readonly<Record<string, unknown>>;
  const isSound = typeof latency === "number" && latency >= 0 && typeof bandwidth === "number";
  return isSound && bandwidth > 0 && fabrics.includes(fabric);
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
