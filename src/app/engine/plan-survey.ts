import { assumedPlatform } from "#core/cost/machines";
import { meshCandidate, planQuestion } from "#edit";
import type { Document } from "#language/document";
import { type MeshShape, meshShapes, PlannerMemory } from "#planner";
import { planOf, takenBy } from "./plan-of.ts";
import type {
  PlanAnswer,
  PlanCost,
  SurveyProgress,
  SurveyRequest,
  SurveyResult,
  SurveyRow,
} from "./plan-protocol.ts";
import { type OpenText, openText, wholeAnswer } from "./plan-search.ts";

/** Largest number of mesh axes in a survey. */
const mostAxes = 3;

/** Number of limits tried between the fastest plan and the leanest. */
const limitCount = 5;

/** Plans one text many times; `hear` receives each plan as it is found. */
export function surveyPlans(
  asked: SurveyRequest,
  hear: (news: SurveyProgress) => void,
  memory: PlannerMemory = new PlannerMemory(),
): SurveyResult {
  const opened = openText(asked.source);
  if (typeof opened === "string") return { kind: "refused", message: opened };
  const own = takenBy(opened.document);
  const survey = new Survey(opened, { own, hear, memory });
  if (asked.survey === "limits") survey.limits();
  else {
    const fault = surveyFault(opened.document, asked.devices);
    if (fault !== undefined) return { kind: "refused", message: fault };
    survey.meshes(asked.devices, asked.memoryLimit);
  }
  return { kind: "surveyed" };
}

/** Reason why no other mesh can be tried; `undefined` if there is none. */
function surveyFault({ pins }: Document, devices: number): string | undefined {
  if (pins.written.some(({ target }) => target === "mesh")) {
    return "The text pins its mesh: take pin(mesh) out to look at others.";
  }
  return Number.isInteger(devices) && devices > 1
    ? undefined
    : "A mesh to be planned has two devices or more.";
}

interface SurveyBase {
  /** Cost of the text's own plan. */
  readonly own: PlanCost;
  readonly hear: (news: SurveyProgress) => void;
  readonly memory: PlannerMemory;
}

class Survey {
  private readonly opened: OpenText;
  private readonly own: PlanCost;
  private readonly hear: (news: SurveyProgress) => void;
  private readonly memory: PlannerMemory;

  constructor(opened: OpenText, { own, hear, memory }: SurveyBase) {
    this.opened = opened;
    this.own = own;
    this.hear = hear;
    this.memory = memory;
  }

  /** Plans the text on every mesh shape of `devices` devices. */
  meshes(devices: number, memoryLimit: number | undefined): void {
    const { mesh } = this.opened.document.mesh;
    const { link } = this.opened.document.mesh.platform ?? assumedPlatform;
    const linksOf = (shape: MeshShape) => {
      const axes = shape.map((size, at) => ({ name: `x${at}`, size }));
      return link({ ...mesh, axes }).axes.map((axis) => axis.link);
    };
    const shapes = meshShapes({ devices, mostAxes, linksOf });
    this.each(shapes, (shape) => this.onMesh(shape, memoryLimit));
  }

  /**
   * Plans the text on its own mesh under limits from the fastest plan's memory to the leanest's.
   */
  limits(): void {
    const { document } = this.opened;
    const fastest = this.planned(document, undefined);
    const none = this.planned(document, 0);
    const least = none.kind === "infeasible" ? none.leastBytes : undefined;
    const limits = fastest.kind === "planned" ? limitsBetween(least, fastest.bytes) : [];
    this.each([undefined, ...limits], (limit) =>
      limit === undefined
        ? this.row(document, fastest)
        : this.row(document, this.planned(document, limit), limit),
    );
  }

  private each<Item>(items: readonly Item[], rowOf: (item: Item) => SurveyRow): void {
    const total = items.length;
    this.hear({ own: this.own, done: 0, total });
    for (const [at, item] of items.entries()) {
      this.hear({ row: rowOf(item), done: at + 1, total });
    }
  }

  private onMesh(shape: MeshShape, memoryLimit: number | undefined): SurveyRow {
    const candidate = meshCandidate(this.opened.document, shape);
    if (!candidate.ok) {
      const axes = shape.map((size) => ({ name: "", size }));
      return { axes, answer: { kind: "refused", message: candidate.reason } };
    }
    const { document } = candidate;
    // Placements are freed: those of the text refer to its own mesh.
    const answer = this.planned(document, memoryLimit, true);
    const message = faultAfter(document, answer);
    return this.row(document, message === undefined ? answer : { kind: "refused", message });
  }

  private row(document: Document, answer: PlanAnswer, limit?: number): SurveyRow {
    return {
      axes: document.mesh.mesh.axes.map(({ name, size }) => ({ name, size })),
      ...(limit !== undefined && { limit }),
      answer: wholeAnswer(this.opened, answer),
    };
  }

  private planned(
    document: Document,
    memoryLimit: number | undefined,
    freesPlaces = false,
  ): PlanAnswer {
    const since = planQuestion(this.opened.document, { freesPlaces });
    const work = {
      document,
      freesPlaces,
      since,
      before: this.own.seconds,
      memoryLimit,
      sizes: [],
      memory: this.memory,
    };
    return planOf(work, () => {});
  }
}

/** Least relative saving of memory against the fastest plan that is worth a row. */
const leastSaved = 0.01;

/** Memory limits below the fastest plan's bytes (`most`), the smallest last. */
function limitsBetween(least: number | undefined, most: number): readonly number[] {
  if (least === undefined || least > (1 - leastSaved) * most) return [];
  const shares = Array.from({ length: limitCount }, (_, at) => 1 - (at + 1) / limitCount);
  return shares.map((share) => Math.ceil(least + share * (most - least)));
}

/** Reason why a plan on another mesh is refused: its text cannot express it, or has an error. */
function faultAfter(document: Document, answer: PlanAnswer): string | undefined {
  if (answer.kind !== "planned") return undefined;
  if (answer.source === undefined) return answer.notes.join("; ");
  const fault = document
    .reread(answer.source)
    .diagnostics.find(({ severity }) => severity === "error");
  return fault?.message;
}
