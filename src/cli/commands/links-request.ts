import { type Checked, failed, passed } from "#core/diagnostics";
import type { AxisName, Link } from "#core/mesh";
import { isRecord } from "#core/records";
import { badRequest } from "./answer.ts";

/** Links by mesh axis name, each given by latency and bandwidth, or by Alpa's alpha and beta. */
export function readLinks(links: unknown): Checked<Readonly<Record<AxisName, Link>>> {
  if (!isRecord(links)) return refused('"links" must be an object');
  const entries = Object.entries(links).map(([axis, link]) => [axis, linkOf(link)] as const);
  const strange = Object.entries(links).find(([, link]) => strangeKey(link) !== undefined);
  if (strange !== undefined) {
    const [axis, link] = strange;
    return refused(
      `the link of "${axis}" has no field "${strangeKey(link)}": there are ${linkKeys.join(", ")}`,
    );
  }
  const bad = entries.find(([, link]) => link === undefined);
  return bad === undefined
    ? passed(
        Object.fromEntries(
          entries.flatMap(([axis, link]) => (link === undefined ? [] : [[axis, link]])),
        ),
      )
    : refused(
        `the link of "${bad[0]}" needs a latency from 0 to ${extreme} and a bandwidth of ${1 / extreme} or more`,
      );
}

/** Fields of a link, in this program's words and in Alpa's. */
const linkKeys: readonly string[] = ["latency", "bandwidth", "fabric", "alpha", "beta"];

function strangeKey(link: unknown): string | undefined {
  return isRecord(link) ? Object.keys(link).find((each) => !linkKeys.includes(each)) : undefined;
}

/**
 * Largest figure: beyond it sums of times overflow to infinity, and plans could not be compared.
 */
const extreme = 1e100;

/** Whether a value is a rate large enough for times to be distinguishable. */
function isRate(value: unknown): value is number {
  return typeof value === "number" && value >= 1 / extreme;
}

const fabrics: readonly unknown[] = [undefined, "switch", "ring", "line", "two-level"];

function linkOf(value: unknown): Link | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { alpha, beta } = value as Readonly<Record<string, unknown>>;
  const isAlphaBeta = typeof alpha === "number" && typeof beta === "number";
  const link = isAlphaBeta ? { latency: alpha, bandwidth: 1 / beta } : value;
  if (!isLink(link)) return undefined;
  const { latency, bandwidth, fabric } = link;
  return { latency, bandwidth, ...(fabric !== undefined && { fabric }) };
}

function isLink(value: object): value is Link {
  const { latency, bandwidth, fabric } = value as Readonly<Record<string, unknown>>;
  const isSound = typeof latency === "number" && latency >= 0 && latency <= extreme;
  return isSound && isRate(bandwidth) && fabrics.includes(fabric);
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
