import { type Checked, failed, passed } from "#core/diagnostics";
import type { DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";
import { alpaModel, alpaPrototypeModel } from "./alpa.ts";
import { autoParallelModel } from "./autoparallel.ts";
import { bookModel } from "./book.ts";
import type { Hardware } from "./cost.ts";
import { linksModel } from "./links-model.ts";
import { mindSporeModel } from "./mindspore.ts";
import type { CostModel } from "./model.ts";
import { nnScalerModel, unmeasuredAxis } from "./nnscaler.ts";
import { plainModel } from "./plain.ts";

/** How each model comes about from the figures of one device, by its name. */
const models: Readonly<Record<string, (hardware: Hardware) => CostModel>> = {
  plain: plainModel,
  links: linksModel,
  book: bookModel,
  alpa: alpaModel,
  "alpa-prototype": alpaPrototypeModel,
  autoparallel: autoParallelModel,
  nnscaler: nnScalerModel,
  mindspore: mindSporeModel,
};

/** The cost model of a name, for a mesh that it can price. */
export function modelOf(name: string, hardware: Hardware, mesh: DeviceMesh): Checked<CostModel> {
  const make = Object.hasOwn(models, name) ? fieldOf(models, name) : undefined;
  if (make === undefined) {
    const known = Object.keys(models).join(", ");
    return refused(`"${name}" is no cost model; there are ${known}`);
  }
  const unmeasured = name === "nnscaler" ? unmeasuredAxis(mesh) : undefined;
  return unmeasured === undefined ? passed(make(hardware)) : refused(unmeasured);
}

function refused(message: string): Checked<never> {
  return failed({ code: "cost/unknown-model", severity: "error", message });
}
