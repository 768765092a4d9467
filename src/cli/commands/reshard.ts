import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import { bytesOf, parseDType } from "#core/ir";
import {
  checkLayout,
  createMesh,
  type DeviceMesh,
  type Layout,
  parseLayout,
  printLayout,
} from "#core/mesh";
import {
  lowerBound,
  type PricedSteps,
  planReshard,
  type ReshardOptions,
  type ReshardPlan,
} from "#core/reshard";
import { systems } from "#systems";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { readLinks } from "./links-request.ts";
import { readMesh, readShape } from "./mesh-request.ts";

interface Request {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly options: ReshardOptions;
}

/** `reshard`: the steps from one layout of a tensor to another, under a policy. */
export function reshardAnswer(args: Arguments): Answer {
  const { policy = "optimal" } = args;
  const request = readRequest(args);
  if (!request.ok) return { ok: false, diagnostics: request.diagnostics };
  const { from, to, shape, options } = request.value;
  if (policy === "optimal") {
    const plan = planReshard(from, to, shape, options);
    const { lowerBound, front, exact, gap } = plan;
    const diagnostics = plan.limit === undefined ? [] : [limited(plan.limit)];
    return { ok: true, ...planFields(plan), lowerBound, front, exact, gap, diagnostics };
  }
  // `optimal` is this program's own planner; other policies belong to systems.
  const other = systems.find(({ name }) => name === policy)?.reshards?.between;
  if (other === undefined) return badRequest(`${JSON.stringify(policy)} is no policy`);
  const plan = other(from, to, shape, options);
  if (!plan.ok) return { ok: false, diagnostics: plan.diagnostics };
  const bound = lowerBound(from, to, shape);
  return { ok: true, ...planFields(plan.value), lowerBound: bound, diagnostics: plan.diagnostics };
}

function limited(limit: NonNullable<ReshardPlan["limit"]>): Diagnostic {
  if (limit === "unaligned")
    return {
      code: "reshard/only-exchange",
      severity: "info",
      message:
        "the pieces of source and target do not lie inside each other: within the memory of the larger of the two nothing but a ragged exchange leads there, so the plan has one, though they are off; use dims that the axes divide",
    };
  const reason = "an exchange between these layouts has too many messages to be listed";
  const message =
    limit === "bound"
      ? `${reason}, and no other plan was found within the memory of source and target: this one gathers more; use fewer devices, or dims that the axes divide`
      : `${reason}, so only plans without one are considered; use fewer devices`;
  return { code: "reshard/exchange-too-large", severity: "warning", message };
}

function planFields({ steps, elements, bytes, seconds }: PricedSteps) {
  const told = steps.map(({ moves: _, layout, ...step }) => ({
    ...step,
    layout: printLayout(layout),
  }));
  return { steps: told, elements, bytes, seconds };
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

/** Most devices whose order may differ in the target. */
const mostReordered = 16_384;

/** The target's mesh: the same axes, with the devices of `toDevices` if given. */
function readTargetMesh({ toDevices }: Arguments, mesh: DeviceMesh): Checked<DeviceMesh> {
  if (toDevices === undefined) return passed(mesh);
  if (!Array.isArray(toDevices)) return refuse('"toDevices" must be a list of device ids');
  if (toDevices.length > mostReordered)
    return refuse(
      `"toDevices" lists ${toDevices.length} devices; at most ${mostReordered} can be given another order, since each is compared with its new place`,
    );
  const made = createMesh(mesh.axes, toDevices.map(Number));
  if (!made.ok) return made;
  const listed = new Set(made.value.devices);
  const missing = mesh.devices.filter((device) => !listed.has(device));
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
  const layout = parseLayout(text, mesh, args.policy === "dtensor" ? "nested" : "flat");
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

function refuse(message: string): { ok: false; diagnostics: readonly Diagnostic[] } {
  return { ok: false, diagnostics: badRequest(message).diagnostics };
}
