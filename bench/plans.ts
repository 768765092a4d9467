import { planQuestion } from "#compile";
import { plainModel } from "#core/cost";
import { readDocument } from "#language/document";
import { optimize, type PlanRequest } from "#planner";
import { type Measure, often } from "./measure.ts";

/** Seconds in which a plan of 96 layers is wanted. */
const aimSeconds = 0.5;

/** The search for the fastest plan of GPT-3's layers, on one axis of the mesh and on two. */
export const planMeasures: readonly Measure[] = [
  planning("plan: 96 layers of GPT-3 on 8 devices, one axis", "tp=8"),
  planning("plan: 96 layers of GPT-3 on 32 devices, two axes", "dp=8, tp=4"),
];

function planning(name: string, mesh: string): Measure {
  const request = requestOf(transformer(96, mesh));
  return {
    name,
    aimSeconds,
    runs: often(() => {
      const found = optimize(request);
      if (!found.ok || found.value.bound !== found.value.seconds) throw new Error("not proven");
    }),
  };
}

function requestOf(text: string): PlanRequest {
  const document = readDocument(text);
  const { graph, mesh, hardware, placements, pins, training } = planQuestion(document, {
    freesPlaces: true,
  });
  return {
    graph,
    mesh,
    hardware,
    placements,
    pins,
    model: plainModel(hardware),
    ends: new Map(),
    ...(training !== undefined && { training }),
  };
}

/** A training step of GPT-3's layers (Brown et al. 2020, table 2.1), a registered function each. */
function transformer(layers: number, mesh: string): string {
  return `import nnscaler
mesh = Mesh(${mesh}, hardware="8xA100")

@nnscaler.register_op("b s h^ -> b s h^")
def norm(x): ...

@nnscaler.register_op("b s h+, h+ (n d) -> b s n d")
def project(x, w, n): ...

@nnscaler.register_op("b s n d^, b t^ n d^, b t^ n d^ -> b s n d^")
def attend(q, k, v): ...

@nnscaler.register_op("b s n+ d^, (n+ d^) h -> b s h")
def join(x, w): ...

def weight(*shape):
    return Parameter(shape, "bf16")

x = Tensor((64, 2048, 12288), "bf16")
for _ in range(${layers}):
    n = norm(x)
    q, k, v = [project(n, weight(12288, 12288), n=96) for _ in range(3)]
    r = add(x, join(attend(q, k, v), weight(12288, 12288)))
    x = add(r, matmul(gelu(matmul(norm(r), weight(12288, 49152))), weight(49152, 12288)))
train(x, optimizer="adam")
`;
}
