import { type Checked, failed, passed } from "#core/diagnostics";
import type { DeviceMesh } from "#core/mesh";
import { alpaModel, alpaPrototypeModel } from "./alpa.ts";
import { autoParallelModel } from "./autoparallel.ts";
import { bookModel } from "./book.ts";
import type { Hardware } from "./cost.ts";
import { linksModel } from "./links-model.ts";
import type { CostModel } from "./model.ts";
import { plainModel } from "./plain.ts";

/** A cost model by its name. */
export interface NamedModel {
  readonly name: string;
  /** Creates the model for the hardware's figures. */
  readonly make: (hardware: Hardware) => CostModel;
  /** Reason why the model cannot price a mesh, in one sentence; if absent, it prices every mesh. */
  readonly refusal?: (mesh: DeviceMesh) => string | undefined;
}

const ownModels: readonly NamedModel[] = [
  { name: "plain", make: plainModel },
  { name: "links", make: linksModel },
  { name: "book", make: bookModel },
  { name: "alpa", make: alpaModel },
  { name: "alpa-prototype", make: alpaPrototypeModel },
  { name: "autoparallel", make: autoParallelModel },
];

/**
 * The cost model of a name; fails if the name is unknown, or if the model cannot price the mesh.
 *
 * @param more models in addition to those of this folder
 */
export function modelOf(
  name: string,
  hardware: Hardware,
  mesh: DeviceMesh,
  more: readonly NamedModel[] = [],
): Checked<CostModel> {
  const known = [...ownModels, ...more];
  const model = known.find((each) => each.name === name);
  if (model === undefined) {
    const names = known.map((each) => each.name).join(", ");
    return refused(`"${name}" is no cost model; there are ${names}`);
  }
  const refusal = model.refusal?.(mesh);
  return refusal === undefined ? passed(model.make(hardware)) : refused(refusal);
}

function refused(message: string): Checked<never> {
  return failed({ code: "cost/unknown-model", severity: "error", message });
}
