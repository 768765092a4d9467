import type { DeviceMesh } from "#core/mesh";
import {
  type CodeInput,
  meshOf,
  NotWritten,
  type ReadModules,
  type TextModules,
} from "#systems/arrays";
import { ForwardFlow, isWithin } from "./forward-flow.ts";
import { leavesOf } from "./leaves.ts";
import { type MeshRoles, rolesOf } from "./mesh-roles.ts";
import { type ValuePaths, valuePaths } from "./paths-of-values.ts";
import { whole } from "./place.ts";
import { checkSizes } from "./rank-sizes.ts";
import { type Sharding, shardingOf } from "./sharding.ts";

/**
 * A plan in terms of modules: tensor parallelism along one axis, and the sharding of parameters
 * over the others.
 */
export interface ModulePlan {
  readonly flow: ForwardFlow;
  readonly mesh: DeviceMesh;
  readonly roles: MeshRoles;
  /** How values are handed from module to module along the axis; absent where no axis cuts any. */
  readonly paths?: ValuePaths;
  readonly sharding: Sharding;
}

/** The plan of a program in terms of modules. @throws NotWritten if modules cannot express it */
export function modulePlan({
  program,
  textModules,
}: Pick<CodeInput, "program" | "textModules">): ModulePlan {
  const flow = new ForwardFlow(program, modulesIn(textModules));
  const mesh = meshOf(program);
  const roles = rolesOf(flow, mesh);
  const { tensor: axis } = roles;
  const paths = axis === undefined ? undefined : valuePaths(flow, axis, leavesOf(flow, axis));
  const isOnWhole = (path: string) =>
    [...(paths?.leaves.values() ?? [])].some(
      (leaf) => leaf.kind === "sequence" && isWithin(path, leaf.path),
    );
  const seenIn = (...asked: Parameters<ValuePaths["seenIn"]>) => paths?.seenIn(...asked) ?? whole;
  checkSizes({ flow, seenIn, isOnWhole, ...(axis !== undefined && { axis }) });
  const sharding = shardingOf(flow, program, roles);
  return { flow, mesh, roles, sharding, ...(paths !== undefined && { paths }) };
}

function modulesIn(read: ReadModules | undefined): TextModules {
  const modules = read?.() ?? "the text has no modules";
  if (typeof modules === "string") throw new NotWritten(modules);
  const isTorch = modules.classesOf.get("")?.includes("nn.Module") === true;
  if (!isTorch) throw new NotWritten(`${modules.root} is no nn.Module of PyTorch`);
  return modules;
}
