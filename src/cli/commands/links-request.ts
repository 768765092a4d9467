import { type Checked, failed, passed } from "#core/diagnostics";
import type { AxisName, Link } from "#core/mesh";
import { badRequest } from "./answer.ts";

/** Links by the name of a mesh axis, each by latency and bandwidth, or by Alpa's alpha and beta. */
export function readLinks(links: unknown): Checked<Readonly<Record<AxisName, Link>>> {
  if (typeof links !== "object" || links === null) return refused('"links" must be an object');
  const entries = Object.entries(links).map(([axis, link]) => [axis, linkOf(link)] as const);
  const bad = entries.find(([, link]) => link === undefined);
  return bad === undefined
    ? passed(
        Object.fromEntries(
          entries.flatMap(([axis, link]) => (link === undefined ? [] : [[axis, link]])),
        ),
      )
    : refused(`the link of "${bad[0]}" needs a latency of 0 or more and a bandwidth above 0`);
}

const fabrics: readonly unknown[] = [undefined, "switch", "ring", "line", "two-level"];

function linkOf(value: unknown): Link | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { alpha, beta } = value as Readonly<Record<string, unknown>>;
  if (typeof alpha !== "number" || typeof beta !== "number") {
    return isLink(value) ? value : undefined;
  }
  const link = { latency: alpha, bandwidth: 1 / beta };
  return isLink(link) ? link : undefined;
}

function isLink(value: object): value is Link {
  const { latency, bandwidth, fabric } = value as Readonly<Record<string, unknown>>;
  const isSound = typeof latency === "number" && latency >= 0 && typeof bandwidth === "number";
  return isSound && bandwidth > 0 && fabrics.includes(fabric);
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
