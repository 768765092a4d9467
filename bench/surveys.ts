import { surveyPlans } from "../src/app/engine/plan-survey.ts";
import type { Measure } from "./measure.ts";

/** A hidden layer without a plan of its own. */
const layer = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((64, 1024, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")
h = matmul(x, w1)
y = matmul(h, w2)
`;

/** Plans on meshes of 64 devices: the first row, meshes of up to two axes, and all meshes. */
export const surveyMeasures: readonly Measure[] = [
  surveying("survey: the first mesh of 64 devices", 0.3, 1),
  surveying("survey: meshes of 64 devices with up to two axes", 2, 6),
  surveying("survey: all meshes of 64 devices", 5),
];

/** A survey from scratch until `rows` rows are present; timed once, since it may take long. */
function surveying(name: string, aimSeconds: number, rows = Number.POSITIVE_INFINITY): Measure {
  const run = () => {
    try {
      surveyPlans({ survey: "meshes", source: layer, devices: 64 }, ({ row, done }) => {
        if (row?.answer.kind === "refused") throw new Error(row.answer.message);
        if (done >= rows) throw new Enough();
      });
    } catch (fault) {
      if (!(fault instanceof Enough)) throw fault;
    }
  };
  return { name, aimSeconds, runs: [run] };
}

/** Thrown once enough rows are present. */
class Enough extends Error {}
