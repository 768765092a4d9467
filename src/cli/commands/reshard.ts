import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import { bytesOf, parseDType } from "#core/ir";
import {
  type AxisName,
  checkLayout,
  createMesh,
  type DeviceMesh,
  type Layout,
  type Link,
  parseLayout,
  printLayout,
} from "#core/mesh";
import { planReshard, type ReshardOptions, type ReshardPlan } from "#core/reshard";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { readMesh, readShape } from "./mesh-request.ts";

interface Request {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly options: ReshardOptions;
}

/** `reshard`: how a tensor gets from one layout to another, under a policy. */
export function reshardAnswer(args: Arguments): Answer {
  const request = readRequest(args);
  if (!request.ok) return { ok: false, diagnostics: request.diagnostics };
  const { from, to, shape, options } = request.value;
  const plan = planReshard(from, to, shape, options);
  return { ok: true, ...planFields(plan), front: plan.front, diagnostics: [] };
}

function planFields(plan: Omit<ReshardPlan, "front">): Readonly<Record<string, unknown>> {
  const { elements, bytes, seconds, lowerBound } = plan;
  const steps = plan.steps.map((step) => ({ ...step, layout: printLayout(step.layout) }));
  return { steps, elements, bytes, seconds, lowerBound, exact: plan.exact, gap: plan.gap };
}

function readRequest(args: Arguments): Checked<Request> {
  const mesh = readMesh(args);
  const shape = readShape(args);
  if (!mesh.ok) return mesh;
  if (!shape.ok) return shape;
  const toMesh = readTargetMesh(args, mesh.value);
  if (!toMesh.ok) return toMesh;
  const from = readLayout(args, "from", mesh.value, shape.value);
  const to = readLayout(args, "to", toMesh.value, shape.value);
  const options = readOptions(args);
  if (!from.ok) return from;
  if (!to.ok) return to;
  if (!options.ok) return options;
  return passed({ from: from.value, to: to.value, shape: shape.value, options: options.value });
}

/** The target's mesh: the same axes, on `toDevices` if given. */
function readTargetMesh({ toDevices }: Arguments, mesh: DeviceMesh): Checked<DeviceMesh> {
  if (toDevices === undefined) return passed(mesh);
  if (!Array.isArray(toDevices)) return refuse('"toDevices" must be a list of device ids');
  const made = createMesh(mesh.axes, toDevices.map(Number));
  if (!made.ok) return made;
  const missing = mesh.devices.filter((device) => !made.value.devices.includes(device));
  return missing.length === 0 ? made : refuse('"toDevices" must list the same devices');
}

function readLayout(
  args: Arguments,
  key: "from" | "to",
  mesh: DeviceMesh,
  shape: readonly number[],
): Checked<Layout> {
  const text = args[key];
  if (typeof text !== "string") return refuse(`"${key}" must be a layout text`);
  const layout = parseLayout(text, mesh);
  if (!layout.ok) return layout;
  const faults = checkLayout(layout.value, shape);
  return faults.length > 0 ? failed(...faults) : layout;
}

function readOptions(args: Arguments): Checked<ReshardOptions> {
  const { dtype = "f32", exchange = false, bound, links } = args;
  const type = typeof dtype === "string" ? parseDType(dtype) : undefined;
  if (type === undefined) return refuse(`${JSON.stringify(dtype)} is no dtype`);
  if (typeof exchange !== "boolean") return refuse('"exchange" must be true or false');
  if (bound !== undefined && typeof bound !== "number") return refuse('"bound" must be a number');
  const known = links === undefined ? undefined : readLinks(links);
  if (known?.ok === false) return known;
  return passed({
    bytesPerElement: bytesOf(type),
    exchange,
    ...(bound !== undefined && { boundElements: bound }),
    ...(known !== undefined && { links: known.value }),
  });
}

function readLinks(links: unknown): Checked<Readonly<Record<AxisName, Link>>> {
  if (typeof links !== "object" || links === null) return refuse('"links" must be an object');
  const entries = Object.entries(links);
  const bad = entries.find(([, link]) => !isLink(link));
  return bad === undefined
    ? passed(Object.fromEntries(entries))
    : refuse(`the link of "${bad[0]}" needs a latency of 0 or more and a bandwidth above 0`);
}

const fabrics: readonly unknown[] = [undefined, "switch", "ring", "line", "two-level"];

function isLink(value: unknown): value is Link {
  if (typeof value !== "object" || value === null) return false;
  const { latency, bandwidth, fabric } = value as Readonly<Record<string, unknown>>;
  const isSound = typeof latency === "number" && latency >= 0 && typeof bandwidth === "number";
  return isSound && bandwidth > 0 && fabrics.includes(fabric);
}

function refuse(message: string): { ok: false; diagnostics: readonly Diagnostic[] } {
  return { ok: false, diagnostics: badRequest(message).diagnostics };
}
